"""Bad input is answered with what was asked, what was found and what to do, by the exit code table."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bootcamp_cli.conftest import Run

GOOD_FRONT = '+++\nid = "sum_up"\nfamily = "arithmetic"\ntitle = "Sum"\nlicence = "CC0-1.0"\n+++\n'


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("author",), "no brief is named"),
        (("author", "nowhere.md"), "does not exist"),
        (("author", "--resume", "last"), "no unfinished run"),
        (("author", "--resume", "xyz"), "not a run id"),
        (("author", "--outcomes", "nowhere/o.jsonl", "x.md"), "its folder does not exist"),
        (("author", "--resume", "last", "x.md"), "leave them out"),
        (("check", "nowhere"), "nowhere"),
        (("check", "./nowhere"), "no such folder"),
        (("review", "show", "nothing"), "nothing"),
        (("review", "approve", "nothing", "--reviewer", "Ada <ada@example.org>"), "nothing"),
        (("merge",), "nothing is approved"),
        (("library", "show", "nothing"), "nothing"),
        (("library", "list", "--library", "/nowhere"), "not a folder"),
        (("surprise",), "surprise"),
        (("check", "--surprise"), "surprise"),
        (("library", "sample", "x", "--level", "one"), "--level"),
    ],
)
def test_a_bad_call_exits_2_and_says_why(arguments: tuple[str, ...], said: str, bootcamp: Run) -> None:
    done = bootcamp(*arguments, code=2)
    assert said in done.stderr
    assert not done.stdout


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "front matter"),
        ("+++\nid = \n+++\nRules.\n", "TOML"),
        (GOOD_FRONT.replace('licence = "CC0-1.0"\n', "") + "Rules.\n", "licence"),
        (GOOD_FRONT, "empty"),
        (GOOD_FRONT.replace("sum_up", "../up") + "Rules.\n", "id"),
        (GOOD_FRONT.replace("title", "surprise") + "Rules.\n", "surprise"),
        (GOOD_FRONT + "x" * 10_500_000, "brief.md"),
    ],
)
def test_an_unusable_brief_is_named_with_its_fault(text: str, said: str, bootcamp: Run, tmp_path: Path) -> None:
    path = tmp_path / "brief.md"
    path.write_text(text)
    done = bootcamp("author", str(path), code=2)
    assert said in done.stderr
    assert "brief.md" in done.stderr
    assert len(done.stderr) < 4000


def test_a_bad_brief_does_not_cost_the_others(bootcamp: Run, tmp_path: Path) -> None:
    (tmp_path / "briefs").mkdir()
    (tmp_path / "briefs" / "bad.md").write_text("+++\n+++\n")
    (tmp_path / "briefs" / "good.md").write_text(GOOD_FRONT + "Add the numbers.\n")
    done = bootcamp("author", str(tmp_path / "briefs"), "--dry-run", code=1)
    assert "sum_up" in done.stdout
    assert "bad.md" in done.stderr


def test_a_missing_key_names_the_variable_and_no_secret(bootcamp: Run, tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text(GOOD_FRONT + "Add the numbers.\n")
    done = bootcamp("author", str(tmp_path / "good.md"), "--author", "openai:some-model", code=2)
    assert "OPENAI_API_KEY" in done.stderr
    done = bootcamp("author", str(tmp_path / "good.md"), "--author", "nobody:x", code=2)
    assert "anthropic:MODEL" in done.stderr


def test_no_engine_is_a_machine_error_that_says_what_to_install(bootcamp: Run, tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text(GOOD_FRONT + "Add the numbers.\n")
    gone = f"unix://{tmp_path}/no.sock"
    done = bootcamp("author", str(tmp_path / "good.md"), code=3, DOCKER_HOST=gone)
    assert "no.sock" in done.stderr
    assert "→" in done.stderr


def test_a_queue_file_that_is_no_database_is_refused(bootcamp: Run, tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "queue.sqlite").write_text("not a database, " * 100)
    done = bootcamp("review", "list", code=2)
    assert "queue.sqlite" in done.stderr


def test_a_long_message_is_not_broken_up_when_piped(bootcamp: Run) -> None:
    name = "x" * 70 + "/" + "y" * 120
    assert name in bootcamp("author", name, code=2).stderr


def test_a_folder_that_was_removed_is_named(tmp_path: Path) -> None:
    command = f"mkdir gone && cd gone && rmdir ../gone && exec {sys.executable} -P -m bootcamp_cli library list"
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3 and "the current folder: it was removed" in done.stderr, done.stderr


def test_no_part_of_a_message_is_drawn_as_an_emoji(bootcamp: Run, tmp_path: Path) -> None:
    """``openai:m:`` is a model called m, and not a circled letter."""
    (tmp_path / "brief.md").write_text(GOOD_FRONT + "Add two numbers.\n")
    done = bootcamp("author", str(tmp_path / "brief.md"), "--author", "openai:m", code=2)
    assert "open openai:m: OPENAI_API_KEY is not set" in done.stderr
