from __future__ import annotations

import subprocess
import tomllib
from pathlib import Path

import pytest

from bootcamp_kit.errors import MachineError, ReviewRuleError, UsageError
from bootcamp_kit.library import Library
from review.decide import Choice, decide
from review.merge import merge
from review.retire import retire
from review.share import pull_request_body, push
from tests.review.conftest import KEEPER, REVIEWER, Repository


@pytest.fixture
def remote(repository, tmp_path) -> Path:
    bare = tmp_path / "remote.git"
    subprocess.run(["git", "init", "-q", "--bare", str(bare)], check=True)
    repository.git("remote", "add", "origin", str(bare))
    return bare


def heads(bare: Path) -> str:
    done = subprocess.run(["git", "rev-parse", "main"], cwd=bare, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_the_branch_is_pushed_with_its_merges(queue, approved, repository, remote):
    merged = merge(queue, approved(), repository.library, identity=KEEPER)
    assert push(repository.library) == "origin/main"
    assert heads(remote) == merged.commit
    assert push(repository.library, remote="origin") == "origin/main", "again is nothing bad"


def test_two_clones_merge_at_once_and_both_arrive(queue, approved, repository, remote, tmp_path):
    push(repository.library)
    subprocess.run(["git", "clone", "-q", str(remote), str(tmp_path / "other")], check=True)
    other = Repository(tmp_path / "other")
    merge(queue, approved(task_id="task_one"), repository.library, identity=KEEPER)
    merge(queue, approved(task_id="task_two"), other.library, identity=KEEPER)
    push(repository.library)
    with pytest.raises(ReviewRuleError, match="commits on main that are not here") as caught:
        push(other.library)
    assert "git pull --rebase origin main" in caught.value.do
    other.git("pull", "-q", "--rebase", "origin", "main")
    push(other.library)
    assert heads(remote) == other.git("rev-parse", "HEAD")
    assert {path.name for path in (other.library / "arithmetic").iterdir()} == {"task_one", "task_two"}


def test_what_cannot_be_pushed_is_said(repository, tmp_path):
    with pytest.raises(ReviewRuleError, match="no remote"):
        push(repository.library)
    repository.git("remote", "add", "gone", f"file://me:secret@localhost{tmp_path}/nowhere.git")
    with pytest.raises(MachineError, match="git push failed") as caught:
        push(repository.library)
    assert "secret" not in str(caught.value)
    repository.git("remote", "add", "second", str(tmp_path / "second"))
    with pytest.raises(ReviewRuleError, match="several remotes: gone, second"):
        push(repository.library)
    repository.git("checkout", "-q", "--detach")
    with pytest.raises(ReviewRuleError, match="detached"):
        push(repository.library)


def test_the_text_of_a_pull_request_names_evidence_and_holds_no_markup(queue, submission, repository):
    title = "@everyone | `x` <b>[l](http://e)"
    given = submission(author="openai:m")
    object.__setattr__(given.brief, "title", title)
    ref = queue.submit(given)
    decide(queue, ref, Choice.APPROVE, REVIEWER, shown_hash=ref)
    item = queue.item(ref)
    object.__setattr__(item, "title", title)
    text = pull_request_body([(item, "c" * 40)])
    assert "Adds or updates 1 task." in text
    assert "### `@everyone ¦ 'x' <b>[l](http://e)`" in text
    for words in ("`arithmetic/seat_rotation`", "`cccccccccccc`", f"`{REVIEWER}`", f"`{ref}`", "| oracle scores 1 |"):
        assert words in text


def test_a_retired_task_keeps_its_bytes_and_its_id_is_never_given_again(queue, approved, repository):
    ref = approved(body="BOOTCAMP = None\n")
    merge(queue, ref, repository.library, identity=KEEPER)
    place = repository.library / "arithmetic" / "seat_rotation"
    before = {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}
    done = retire(repository.library, "seat_rotation", identity=KEEPER, reason="a better one exists")
    assert repository.git("show", "--format=", "--name-only", done.commit).endswith(
        "seat_rotation/evidence/record.toml"
    )
    assert repository.git("show", "-s", "--format=%s", done.commit) == "Retire task arithmetic/seat_rotation (1.0.0)"
    assert repository.status() == ""
    record = tomllib.loads((place / "evidence" / "record.toml").read_text())
    assert record["retired"]["reason"] == "a better one exists"
    assert record["approval"]["content_hash"] == ref
    changed = [path.name for path, data in before.items() if path.read_bytes() != data]
    assert changed == ["record.toml"]
    assert Library(repository.library).entry("seat_rotation").card.version == "1.0.0"
    newer = approved(body="BOOTCAMP = 2\n", version="2.0.0", parent=ref, compared=True)
    with pytest.raises(ReviewRuleError, match="was retired"):
        merge(queue, newer, repository.library, identity=KEEPER)
    with pytest.raises(ReviewRuleError, match="was retired at"):
        retire(repository.library, "seat_rotation", identity=KEEPER, reason="again")


def test_what_cannot_be_retired_is_said_and_changes_nothing(repository):
    with pytest.raises(UsageError, match="no such task"):
        retire(repository.library, "nothing_here", identity=KEEPER, reason="x")
    for reason in ("", " ", "x" * 5_000):
        with pytest.raises(ReviewRuleError, match="reason"):
            retire(repository.library, "seat_rotation", identity=KEEPER, reason=reason)
    with pytest.raises(ReviewRuleError, match="not of the form Name"):
        retire(repository.library, "seat_rotation", identity="root", reason="x")
    (repository.root / "other.txt").write_text("changed\n")
    with pytest.raises(ReviewRuleError, match="uncommitted changes"):
        retire(repository.library, "seat_rotation", identity=KEEPER, reason="x")
    assert repository.commits() == 1
