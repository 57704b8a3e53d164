"""Which tasks differ from a commit; and the hook and the CI template that ask for their audit, run in real git."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from bootcamp_kit.errors import UsageError
from review.changed import changed_tasks
from tests.review.conftest import a_submission

ROOT = Path(__file__).parents[2]
VERIFY_NOTHING = """    def verify(self, case: Case, answer: Answer) -> Score:
        return Score.correct()


"""
EXAMPLES = ROOT / "examples" / "library"


def put(library: Path, task_id: str, **more: Any) -> Path:
    place = library / "arithmetic" / task_id
    a_submission(task_id=task_id, **more).candidate.folder.write(place)
    return place


def commit(repository: Any, message: str = "more") -> None:
    repository.git("add", "-A")
    repository.git("commit", "-q", "-m", message)


def names(repository: Any, base: str) -> tuple[list[str], list[str]]:
    found = changed_tasks(repository.library, base)
    return [path.name for path in found.tasks], list(found.gone)


def test_tasks_are_found_whether_committed_staged_or_only_on_disk(repository: Any) -> None:
    kept, gone = put(repository.library, "kept_task"), put(repository.library, "gone_task")
    commit(repository)
    repository.git("tag", "base")
    put(repository.library, "committed_task")
    commit(repository)
    put(repository.library, "staged_task")
    repository.git("add", "-A")
    put(repository.library, "loose_task")
    (kept / "evidence").mkdir()
    (kept / "evidence" / "record.toml").write_text("schema = 1\n")
    (repository.root / "other.txt").write_text("changed")
    shutil.rmtree(gone)
    assert names(repository, "base") == (["committed_task", "loose_task", "staged_task"], ["arithmetic/gone_task"])
    (kept / "bootcamp.py").write_text("BOOTCAMP = 1\n")
    assert "kept_task" in names(repository, "base")[0]


def test_what_the_base_branch_did_meanwhile_is_not_ours(repository: Any) -> None:
    put(repository.library, "first_task")
    commit(repository)
    repository.git("switch", "-q", "-c", "mine")
    put(repository.library, "my_task")
    commit(repository)
    repository.git("switch", "-q", "main")
    put(repository.library, "their_task")
    commit(repository)
    repository.git("switch", "-q", "mine")
    assert names(repository, "main") == (["my_task"], [])


@pytest.mark.parametrize("base", ["nowhere", "--output=x", "", "HEAD:tasks", "a\0b"])
def test_a_base_that_is_no_commit_is_refused(repository: Any, base: str) -> None:
    with pytest.raises(UsageError):
        changed_tasks(repository.library, base)
    assert not (repository.library / "x").exists()


def test_a_place_without_git_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        changed_tasks(tmp_path, "HEAD")
    with pytest.raises(UsageError, match="not a folder"):
        changed_tasks(tmp_path / "none", "HEAD")


@pytest.fixture
def own_command(repository: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``bootcamp`` on the path, and the repository's own settings."""
    bin_dir = tmp_path / "bin"
    bin_dir.mkdir()
    script = bin_dir / "bootcamp"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m bootcamp_cli "$@"\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{bin_dir}:{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.delenv("BOOTCAMP_HOOK_TEST", raising=False)
    monkeypatch.setenv("BOOTCAMP_STATE", str(tmp_path / "state"))
    (repository.root / "bootcamp.toml").write_text('library = "tasks"\n')
    commit(repository, "Say where the library is")


def install(repository: Any, *hooks: str) -> None:
    for name in hooks:
        shutil.copy(EXAMPLES / "audit-hook.sh", repository.root / ".git" / "hooks" / name)


@pytest.mark.docker
@pytest.mark.usefixtures("own_command")
def test_the_hook_stops_a_merge_that_brings_a_broken_task_and_lets_others_pass(repository: Any) -> None:
    repository.git("switch", "-q", "-c", "words")
    (repository.root / "other.txt").write_text("no task")
    commit(repository)
    repository.git("switch", "-q", "-c", "broken", "main")
    place = repository.library / "testing" / "top_level_crashes"
    shutil.copytree(ROOT / "tests" / "bestiary" / "top_level_crashes", place)
    (place / "bootcamp.py").write_text("raise RuntimeError('broken')\n")
    commit(repository)
    repository.git("switch", "-q", "main")
    install(repository, "pre-merge-commit", "pre-commit")
    repository.git("merge", "-q", "--no-ff", "-m", "words", "words")
    head = repository.git("rev-parse", "HEAD")
    done = subprocess.run(
        ["git", "merge", "--no-ff", "-m", "broken", "broken"],
        cwd=repository.root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "contract." in done.stderr + done.stdout
    assert "1 task differs from HEAD" in done.stderr
    assert repository.git("rev-parse", "HEAD") == head


@pytest.mark.docker
@pytest.mark.usefixtures("own_command")
def test_the_ci_template_audits_against_the_base_branch(repository: Any) -> None:
    steps = yaml.safe_load((EXAMPLES / "audit.yml").read_text())["jobs"]["audit"]["steps"]
    (audit,) = [step["run"] for step in steps if "audit --changed" in step.get("run", "")]
    repository.git("switch", "-q", "-c", "mine")
    run = {"cwd": repository.root, "capture_output": True, "text": True, "env": {**os.environ, "BASE": "main"}}
    quiet = subprocess.run(["sh", "-ec", audit], check=False, **run)
    assert quiet.returncode == 0, quiet.stderr
    put(repository.library, "broken_task", body="raise RuntimeError\n")
    commit(repository)
    stopped = subprocess.run(["sh", "-ec", audit], check=False, **run)
    assert stopped.returncode == 1, stopped.stderr
    assert (repository.root / "audit.sarif").exists()


@pytest.mark.docker
@pytest.mark.timeout(3600)
@pytest.mark.skipif(not os.environ.get("BOOTCAMP_HOOK_TEST"), reason="two whole audits: set BOOTCAMP_HOOK_TEST=1")
@pytest.mark.usefixtures("own_command")
def test_in_a_clone_elsewhere_a_sound_change_passes_and_an_unsound_one_is_stopped_by_hook_and_job(
    repository: Any, tmp_path: Path
) -> None:
    shutil.copytree(ROOT / "tests" / "sound_tasks" / "signed_gap", repository.library / "numbers" / "signed_gap")
    commit(repository)
    clone = tmp_path / "elsewhere" / "clone"
    subprocess.run(["git", "clone", "-q", str(repository.root), str(clone)], check=True)
    shutil.copy(EXAMPLES / "audit-hook.sh", clone / ".git" / "hooks" / "pre-commit")
    code = clone / repository.library.relative_to(repository.root) / "numbers" / "signed_gap" / "bootcamp.py"

    def commits(text: str, *more: str) -> int:
        code.write_text(text)
        return subprocess.run(["git", "commit", "-q", "-a", "-m", "change", *more], cwd=clone, check=False).returncode

    sound = code.read_text().replace('"""', '"""In other words: ', 1)
    assert commits(sound) == 0
    start, end = sound.index("    def verify"), sound.index("BOOTCAMP =")
    broken = sound[:start] + VERIFY_NOTHING + sound[end:]
    assert commits(broken) != 0
    assert commits(broken, "--no-verify") == 0
    steps = yaml.safe_load((EXAMPLES / "audit.yml").read_text())["jobs"]["audit"]["steps"]
    (audit,) = [step["run"] for step in steps if "audit --changed" in step.get("run", "")]
    run: dict[str, Any] = {"cwd": clone, "env": {**os.environ, "BASE": "origin/main"}}
    assert subprocess.run(["sh", "-ec", audit], check=False, **run).returncode == 1
