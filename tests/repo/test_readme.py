"""What the README shows is what happens."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.library import Library, approved_hash

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def test_the_ten_lines_of_python_run_and_score() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert "0.0 wrong" in done.stdout
    assert "0.0 malformed" in done.stdout
    assert done.stdout.count("{") == 3


def test_every_command_it_names_exists() -> None:
    import typer.main

    from bootcamp_cli.main import build_app

    known = typer.main.get_command(build_app())
    for words in re.findall(r"^(?:\$ )?bootcamp ([a-z]+)(?: ([a-z]+))?", README, re.MULTILINE):
        command = known.commands[words[0]]  # type: ignore[attr-defined]
        if hasattr(command, "commands") and words[1] and words[0] != "evaluate":  # which takes tasks as well
            assert words[1] in command.commands


def test_the_targets_it_names_are_in_the_makefile() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"^make ([a-z]+)", README, re.MULTILINE)) == {"demo", "test"} <= targets


@pytest.mark.docker
def test_the_brief_that_the_documentation_shows_is_authored(tmp_path: Path) -> None:
    shown = re.findall(r"````markdown\n(\+\+\+.*?)````", (ROOT / "docs" / "briefs.md").read_text(), re.DOTALL)[0]
    (tmp_path / "brief.md").write_text(shown)
    command = [sys.executable, "-m", "bootcamp_cli", "author", str(tmp_path / "brief.md"), "--json"]
    environment = {**os.environ, "BOOTCAMP_STATE": str(tmp_path / "state")}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stdout
    assert '"kind": "queued"' in done.stdout


def shipped() -> list[Path]:
    entries, problems = Library(ROOT / "generated_bootcamps").scan()
    assert not problems
    return [entry.path for entry in entries]


@pytest.mark.parametrize("path", shipped(), ids=lambda path: path.name)
def test_each_task_that_ships_is_the_one_that_was_approved(path: Path) -> None:
    assert approved_hash(path) == TaskFolder.read(path).content_hash
    log = subprocess.run(
        ["git", "log", "--format=%B", "--", str(path / "evidence")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"Content-Hash: {approved_hash(path)}" in log.stdout
    assert "Reviewed-by: " in log.stdout
