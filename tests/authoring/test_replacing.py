"""Tasks that replace ones of the library: reported examples stay, the version follows from the size of the step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from authoring.author import Assignment, Draft, Refused
from authoring.replacing import ReplacingAuthor
from bootcamp_kit.candidate import Candidate, Lineage
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.report import Finding
from bootcamp_kit.versions import Size, with_version
from sandbox.checks.examples_file import Example, parse_examples, with_examples
from tests.authoring.parts import draft_folder, make_brief

OLD = draft_folder()
WORK = Assignment(make_brief(), 0, 1, run=None)  # type: ignore[arg-type]
REPORT = Example(
    "reject", "reported: names a crate twice", "<answer>1, 1</answer>", payload={"weights": [1], "load": 2}
)


@dataclass
class Writes:
    """An author that hands out one folder."""

    made: TaskFolder | Refused
    name: str = "scripted:model"
    deterministic: bool = False

    async def draft(self, work: Assignment) -> Draft:
        if isinstance(self.made, Refused):
            return self.made
        return Candidate(self.made, Lineage(self.name, work.brief.hash))

    async def repair(self, work: Assignment, candidate: Candidate, findings: Sequence[Finding], reason: str) -> Draft:
        return await self.draft(work)

    async def close(self) -> None:
        pass


def with_file(folder: TaskFolder, path: str, data: bytes) -> TaskFolder:
    return TaskFolder({**folder.files, path: data})


def replacing(
    made: TaskFolder | Refused, standing: TaskFolder | None = OLD, size: Size = Size.MINOR
) -> ReplacingAuthor:
    return ReplacingAuthor(Writes(made), lambda task_id: standing, lambda old, new: size)


async def drafted(made: TaskFolder, standing: TaskFolder | None = OLD, size: Size = Size.MINOR) -> Candidate:
    return cast(Candidate, await replacing(made, standing, size).draft(WORK))


CHANGED = with_file(OLD, "bootcamp.py", OLD.files["bootcamp.py"] + b"\n# mended\n")


async def test_a_new_task_is_left_as_it_is() -> None:
    made = await drafted(CHANGED, standing=None)
    assert (made.folder, made.lineage.parent) == (CHANGED, "")
    refused = Refused("draft", "no")
    assert await replacing(refused).draft(WORK) is refused


async def test_a_retired_task_is_refused_before_anybody_writes() -> None:
    asked = ReplacingAuthor(
        Writes(CHANGED), lambda _: OLD, lambda old, new: Size.MINOR, lambda task_id: f"{task_id}: retired"
    )
    assert await asked.draft(WORK) == Refused("replace", "exact_load_1: retired")
    base = Candidate(OLD, Lineage("x", "0" * 64))
    assert await asked.repair(WORK, base, (), "") == Refused("replace", "exact_load_1: retired")


async def test_the_version_follows_from_the_size_and_names_what_it_replaces() -> None:
    standing = with_version(OLD, "2.3.4")
    for size, version in ((Size.PATCH, "2.3.5"), (Size.MINOR, "2.4.0"), (Size.MAJOR, "3.0.0")):
        made = await drafted(CHANGED, standing, size)
        assert made.folder.card.version == version
        assert made.lineage.parent == standing.content_hash


async def test_the_same_task_again_keeps_its_version_and_hash() -> None:
    standing = with_version(OLD, "2.3.4")
    made = await drafted(OLD, standing, Size.MAJOR)
    assert made.content_hash == standing.content_hash


async def test_a_reported_example_stays_whatever_the_author_writes() -> None:
    examples = "examples.toml"
    reported = with_file(OLD, examples, with_examples(OLD.files[examples], [REPORT]))
    for standing, base in ((reported, OLD), (OLD, reported), (None, reported)):
        author = replacing(CHANGED, standing)
        made = cast(Candidate, await author.repair(WORK, Candidate(base, Lineage("x", "0" * 64)), (), ""))
        kept = parse_examples(made.folder.files[examples], OLD.card.difficulty.levels)
        assert [item for item in kept if item.name == REPORT.name] == [REPORT]
        assert len(kept) == len(parse_examples(OLD.files[examples], OLD.card.difficulty.levels)) + 1


async def test_a_reported_example_under_another_name_is_not_added_twice() -> None:
    examples = "examples.toml"
    reported = with_file(OLD, examples, with_examples(OLD.files[examples], [REPORT]))
    renamed = with_file(OLD, examples, with_examples(OLD.files[examples], [replace(REPORT, name="one twice")]))
    made = await drafted(renamed, reported)
    assert made.folder.files[examples] == renamed.files[examples]


def test_examples_are_added_to_every_way_of_writing_the_file(tmp_path: Path) -> None:
    inline = b'reject = [{ name = "a", response = "<answer>1</answer>" }]\n'
    tables = b'# a remark\n[[reject]]\nname = "a"\nresponse = "<answer>1</answer>"\n'
    hostile = replace(REPORT, response='"""\n\\u0000 ]]\x01 <answer>é\U0001f600</answer>')
    for data in (inline, tables, b""):
        found = parse_examples(with_examples(data, [hostile]), range(1, 4))
        assert found[-1] == hostile
        assert len(found) == 1 + bool(data)
    assert b"# a remark" in with_examples(tables, [REPORT])
