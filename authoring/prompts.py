"""The prompts in ``prompts/*.md``: loaded whole, known by their hashes, filled without any formatting language.

Text from outside (a brief, a candidate, what a candidate answered) goes between fence lines that carry a hash of that
text, so the text cannot contain its own closing fence; the system prompt says what a fence means.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from importlib import resources

from bootcamp_kit.errors import InternalError
from bootcamp_kit.jsondata import digest

AUTHORS = ("system", "example", "draft", "repair", "correct")
STAGES: Mapping[str, tuple[str, ...]] = {
    "assist": ("helper", "input_format"),
    "analyse": ("helper", "analyse", "specified", "correct_form"),
    "oppose": ("helper", "second", "reconsider", "attack", "attack_source", "blind", "correct_form"),
}
"""The prompts of the stages that ask models; a calibrating solver gets the exercise and nothing else."""
NAMES = tuple(dict.fromkeys((*AUTHORS, *(name for names in STAGES.values() for name in names))))
_MARK = re.compile(r"\{\{([a-z_]+)\}\}")


class Prompts:
    """All prompt files."""

    def __init__(self) -> None:
        folder = resources.files("authoring").joinpath("prompts")
        data = {name: folder.joinpath(f"{name}.md").read_bytes() for name in NAMES}
        self._texts = {name: text.decode("utf-8").strip() for name, text in data.items()}
        self._hashes = {name: digest(data[name]) for name in NAMES}

    @property
    def hashes(self) -> tuple[tuple[str, str], ...]:
        """File and SHA-256 of the prompts an author is asked with."""
        return tuple((f"{name}.md", self._hashes[name]) for name in AUTHORS)

    def hashes_of(self, stages: Iterable[str]) -> tuple[tuple[str, str], ...]:
        """File and SHA-256 of the prompts of these stages."""
        names = dict.fromkeys(name for stage in stages for name in STAGES.get(stage, ()))
        return tuple((f"{name}.md", self._hashes[name]) for name in names)

    @property
    def helper(self) -> str:
        """The system message of everyone but the author and the solvers."""
        return self._texts["helper"]

    @property
    def system(self) -> str:
        """The system message: contract, format, rules, worked example."""
        return self.fill("system", example=self._texts["example"])

    @property
    def example(self) -> str:
        """The worked example: a reply as it should be."""
        return self._texts["example"]

    def fill(self, name: str, **values: str) -> str:
        """One prompt with its ``{{marks}}`` replaced; values are inserted as they are and never looked into.

        Raises:
            InternalError: a mark without a value, or a value without a mark.
        """
        used: set[str] = set()

        def value(match: re.Match[str]) -> str:
            used.add(match[1])
            if match[1] not in values:
                raise InternalError(f"filling prompt {name}.md", f"no value for {match[0]}", "report this as a bug")
            return values[match[1]]

        text = _MARK.sub(value, self._texts[name])
        if used != set(values):
            raise InternalError(f"filling prompt {name}.md", f"unused: {set(values) - used}", "report this as a bug")
        return text


def fenced(kind: str, text: str) -> str:
    """``text`` as data between fence lines it cannot contain; surrogates and NUL are made harmless."""
    clean = text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "�").replace("\r\n", "\n").strip("\n")
    token = digest(clean.encode())[:16]
    return f"<<<DATA {kind} {token}\n{clean}\nDATA {kind} {token}>>>"
