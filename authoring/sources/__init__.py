"""Readers: files in three formats become briefs, and what cannot be read becomes a named problem."""

from authoring.sources.read import Briefs, Problem, read_briefs

__all__ = ["Briefs", "Problem", "read_briefs"]
