"""The wheel holds what it should, works in an environment of its own, and nothing heavy is imported to print help."""

import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OURS = {
    "authoring",
    "bootcamp_cli",
    "bootcamp_kit",
    "chat_models",
    "evaluation",
    "generated_bootcamps",
    "review",
    "sandbox",
}
HEAVY = {"openai", "anthropic", "langgraph", "docker", "sqlalchemy", "hypothesis", "git", "pydantic", "rich"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        str(out),
        str(ROOT),
    ]
    subprocess.run(command, check=True, capture_output=True, cwd=out)
    return next(out.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment that holds our wheel; third-party packages are lent to it by path."""
    home = tmp_path_factory.mktemp("environment") / "venv"
    subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
    python = home / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", "--no-index", str(wheel)], check=True)
    site = next(home.glob("lib/python*/site-packages"))
    (site / "third_party.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return home


def test_the_wheel_holds_our_packages_and_no_tests(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == OURS
    for needed in ("sandbox/ensure_engine.sh", "sandbox/checks/policy.toml", "bootcamp_kit/py.typed"):
        assert needed in names
    assert any(name.startswith("authoring/prompts/") and name.endswith(".md") for name in names)


def test_the_installed_command_works_from_the_root_folder(installed: Path) -> None:
    command = installed / "bin" / "bootcamp"
    environment = {key: value for key, value in os.environ.items() if not key.startswith("BOOTCAMP_")}

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [command, *arguments], cwd="/", env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert run("--version").startswith("bootcamp ")
    listed = json.loads(run("library", "list", "--json"))
    assert Path(listed["library"]).is_relative_to(installed.resolve())
    assert listed["tasks"], "the library that ships is not empty"
    assert not listed["problems"]
    first = listed["tasks"][0]["id"]
    assert json.loads(run("library", "sample", first, "--level", "1", "--json"))["cases"]


def test_merging_into_site_packages_is_refused(installed: Path, tmp_path: Path) -> None:
    command = [installed / "bin" / "bootcamp", "merge", "nothing"]
    environment = {**os.environ, "BOOTCAMP_STATE": str(tmp_path / "state")}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode in (2, 5), done.stderr
    assert "Traceback" not in done.stderr


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from bootcamp_cli.main import build_app\n"
        "try: build_app()(['--help'], standalone_mode=False)\n"
        "except SystemExit: pass\n"
        f"print(sorted({HEAVY!r} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "author" in done.stdout
    assert done.stderr.strip() == "[]"
