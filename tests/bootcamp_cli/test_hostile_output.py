"""Text that others wrote, closed pipes and small locales do not upset the command line or its terminal."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bootcamp_cli.conftest import Run

BROKEN = Path(__file__).parents[1] / "bestiary" / "always_right"
TITLE = "T\\u001b[31mRED\\u001b]0;pwn\\u0007 \\u202eevil [bold]x[/bold] \\u009b31m ä"


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """A library with a task whose card wants to paint the terminal, and a folder whose name does."""
    folder = tmp_path / "shelf" / "testing" / "always_right"
    folder.mkdir(parents=True)
    for path in BROKEN.iterdir():
        text = path.read_text("utf-8").replace('"Always right"\nsummary', f'"{TITLE}"\nsummary')
        (folder / path.name).write_text(text, "utf-8")
    bad = folder.parent / "ev\x1b[31mil"
    bad.mkdir()
    (bad / "card.toml").write_text("id = ")
    return tmp_path / "shelf"


def test_no_card_and_no_folder_name_can_command_the_terminal(shelf: Path, bootcamp: Run) -> None:
    for arguments, code in ((("list",), 1), (("list", "--json"), 1), (("show", "always_right"), 0)):
        done = bootcamp("library", *arguments, "--library", str(shelf), code=code)
        for text in (done.stdout, done.stderr):
            assert not set("\x1b\x07\x9b\u202e") & set(text), arguments
        assert "RED" in done.stdout
    assert "[bold]x[/bold]" in bootcamp("library", "show", "always_right", "--library", str(shelf)).stdout


def test_escaped_json_means_the_same(shelf: Path, bootcamp: Run) -> None:
    done = bootcamp("library", "show", "always_right", "--json", "--library", str(shelf))
    assert json.loads(done.stdout)["title"] == json.loads(f'"{TITLE}"')


def test_a_locale_that_cannot_write_a_letter_gets_it_spelt_out(shelf: Path, bootcamp: Run) -> None:
    done = bootcamp("library", "show", "always_right", "--library", str(shelf), PYTHONIOENCODING="ascii")
    assert "\\xe4" in done.stdout


@pytest.mark.parametrize("shell", ["{} | true", "{} | head -1 >/dev/null"])
def test_a_reader_that_stops_reading_is_no_fault(shell: str) -> None:
    command = f"{sys.executable} -m bootcamp_cli library sample pebble_scale -n 300"
    script = f"set -o pipefail; {shell.format(command)}"
    clean = {key: value for key, value in os.environ.items() if not key.startswith("BOOTCAMP_")}
    done = subprocess.run(["bash", "-c", script], env=clean, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr[-500:]
    assert "Error" not in done.stderr


@pytest.mark.parametrize(("closing", "code"), [(">&-", 0), ("2>&-", 0), (">&- 2>&-", 0), ("nothing >&-", 2)])
def test_closed_streams_change_no_exit_code(closing: str, code: int) -> None:
    command = f"{sys.executable} -m bootcamp_cli library show " + (closing if code else f"pebble_scale {closing}")
    clean = {key: value for key, value in os.environ.items() if not key.startswith("BOOTCAMP_")}
    done = subprocess.run(["bash", "-c", command], env=clean, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (code, False), done.stderr[-500:]
