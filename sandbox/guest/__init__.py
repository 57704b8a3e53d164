"""What runs inside the container: standard library and `bootcamp_kit` only. See README.md in this folder."""
