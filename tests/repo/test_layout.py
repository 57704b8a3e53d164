"""The repository keeps its shape: rooms, one README line per file, small files, fresh generated pages."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("authoring", "bootcamp_cli", "bootcamp_kit", "chat_models", "evaluation", "review", "sandbox")
AT_THE_ROOT = {
    ".ci",
    ".gitattributes",
    ".gitignore",
    "CHANGELOG.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "authoring",
    "benchmarks",
    "bootcamp_cli",
    "bootcamp_kit",
    "chat_models",
    "docs",
    "evaluation",
    "examples",
    "generated_bootcamps",
    "pyproject.toml",
    "requirements.lock",
    "review",
    "sandbox",
    "tests",
}
MAX_LINES = 360


def tracked() -> list[str]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return listed.stdout.splitlines()


def test_the_root_holds_only_what_the_layout_lists() -> None:
    assert {path.split("/")[0] for path in tracked()} <= AT_THE_ROOT


@pytest.mark.parametrize("package", PACKAGES)
def test_each_readme_has_a_line_for_every_file(package: str) -> None:
    folders = {Path(path).parent for path in tracked() if path.startswith(f"{package}/") and path.endswith(".py")}
    missing = []
    for folder in sorted(folders):
        readme = next(
            ROOT / place / "README.md" for place in (folder, *folder.parents) if (ROOT / place / "README.md").exists()
        )
        text = readme.read_text()
        names = [Path(path).name for path in tracked() if Path(path).parent == folder and path.endswith(".py")]
        missing += [f"{folder}/{name}" for name in names if name != "__init__.py" and name not in text]
    assert not missing


def test_no_module_is_long() -> None:
    sources = [
        ROOT / path for path in tracked() if path.endswith(".py") and not path.startswith(("tests/", "generated_"))
    ]
    long = {path.name: count for path in sources if (count := len(path.read_text().splitlines())) > MAX_LINES}
    assert not long


def test_the_lock_file_names_no_address() -> None:
    assert not re.search(r"://|@ ", (ROOT / "requirements.lock").read_text())


def test_docs_cli_is_fresh() -> None:
    from bootcamp_cli.document import document

    assert (ROOT / "docs" / "cli.md").read_text() == document(), "run: python -m bootcamp_cli.document > docs/cli.md"


def test_links_in_the_documents_lead_somewhere() -> None:
    broken = []
    for path in tracked():
        if not path.endswith(".md") or path.startswith("examples/briefs"):
            continue
        page = ROOT / path
        for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text()):
            if "://" not in link and not (page.parent / link).exists():
                broken.append(f"{path}: {link}")
    assert not broken
