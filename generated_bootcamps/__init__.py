"""The task library: machine-written, approved by a person, merged by `bootcamp merge`. No module but tasks."""
