"""A folder is read whole or refused; its hash is the documented shell line."""

import os
import subprocess
from pathlib import Path

import pytest

from bootcamp_kit.errors import UsageError
from bootcamp_kit.folder import MAX_FILE_BYTES, TaskFolder

SHELL_LINE = (
    "find . -type f ! -path './evidence/*' ! -path '*/__pycache__/*' | LC_ALL=C sort | xargs sha256sum | sha256sum"
)


@pytest.fixture
def folder(tmp_path: Path, doubling_task: dict[str, bytes]) -> Path:
    root = tmp_path / "doubling"
    TaskFolder(doubling_task).write(root)
    return root


def test_the_hash_is_reproduced_by_standard_tools(folder: Path) -> None:
    (folder / "evidence").mkdir()
    (folder / "evidence" / "record.toml").write_text("x = 1\n")
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "bootcamp.cpython-311.pyc").write_bytes(b"x")
    (folder / "a_file.txt").write_text("beside\n")
    printed = subprocess.run(["sh", "-c", SHELL_LINE], cwd=folder, capture_output=True, text=True, check=True).stdout
    assert TaskFolder.read(folder).content_hash == printed.split()[0]
    assert SHELL_LINE in Path("bootcamp_kit/folder.py").read_text()


def test_one_changed_byte_changes_the_hash(folder: Path) -> None:
    before = TaskFolder.read(folder).content_hash
    path = folder / "brief.md"
    path.write_bytes(path.read_bytes() + b" ")
    assert TaskFolder.read(folder).content_hash != before


def test_write_is_all_or_nothing_and_never_overwrites(folder: Path, doubling_task: dict[str, bytes]) -> None:
    with pytest.raises(UsageError, match="exists"):
        TaskFolder(doubling_task).write(folder)
    assert [path.name for path in folder.parent.iterdir()] == ["doubling"]


def test_links_are_refused(folder: Path) -> None:
    (folder / "extra.py").symlink_to("/etc/passwd")
    with pytest.raises(UsageError, match="link"):
        TaskFolder.read(folder)


def test_a_fifo_is_refused(folder: Path) -> None:
    os.mkfifo(folder / "pipe.py")
    with pytest.raises(UsageError, match="special"):
        TaskFolder.read(folder)


@pytest.mark.parametrize(
    "name",
    [
        "../escape.py",
        "/absolute.py",
        "a/../b.py",
        "evidence/x.toml",
        "sp ace.py",
        "nul\0.py",
        "é.py",
        ".hidden",
        "a//b.py",
        "",
    ],
)
def test_unsafe_names_are_refused(name: str, doubling_task: dict[str, bytes]) -> None:
    with pytest.raises(UsageError, match="plain relative path"):
        TaskFolder({**doubling_task, name: b""})


def test_a_name_that_is_not_utf8_is_refused(folder: Path) -> None:
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff.py")).write_bytes(b"")
    with pytest.raises(UsageError, match="plain relative path"):
        TaskFolder.read(folder)


def test_size_caps_are_applied_before_reading(folder: Path) -> None:
    with (folder / "big.txt").open("wb") as big:
        big.truncate(MAX_FILE_BYTES + 1)
    with pytest.raises(UsageError, match="cap"):
        TaskFolder.read(folder)


def test_thousands_of_files_are_refused(folder: Path) -> None:
    for number in range(100):
        (folder / f"f{number}.txt").write_text("")
    with pytest.raises(UsageError, match="cap"):
        TaskFolder.read(folder)


@pytest.mark.parametrize("name", ["card.toml", "oracle.py", "examples.toml"])
def test_missing_files_are_named(name: str, doubling_task: dict[str, bytes]) -> None:
    with pytest.raises(UsageError, match=name):
        TaskFolder({path: data for path, data in doubling_task.items() if path != name})
