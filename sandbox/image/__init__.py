"""Builds the container image from the local interpreter, without a registry. See README.md in this folder."""
