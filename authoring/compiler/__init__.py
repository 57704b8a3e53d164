"""The embedded default author: contest-style briefs become tasks without a model, or are refused with the reason."""

from authoring.compiler.compile import compile_brief
from authoring.compiler.outcome import AUTHOR, Compiled, Explanation, LevelFigures, ProgramRunner, Refusal, Stage
from authoring.compiler.running import program_runner

__all__ = [
    "AUTHOR",
    "Compiled",
    "Explanation",
    "LevelFigures",
    "ProgramRunner",
    "Refusal",
    "Stage",
    "compile_brief",
    "program_runner",
]
