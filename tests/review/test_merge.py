from __future__ import annotations

import json
import shutil
import subprocess
import tomllib

import pytest

from bootcamp_kit.errors import ReviewRuleError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.library import approved_hash
from bootcamp_kit.report import Report
from review.decide import Choice, decide
from review.item import State
from review.merge import merge
from review.queue import Queue
from review.tied import Tied, tied

KEEPER = "Kim Keeper <kim@example.org>"
REVIEWER = "Rae Viewer <rae@example.org>"
FOLDER = "tasks/arithmetic/seat_rotation"


def test_a_merge_is_one_commit_of_one_folder_with_its_evidence(queue, repository, approved, submission):
    content_hash = approved()
    done = merge(queue, "seat_rotation", repository.library, identity=KEEPER)

    assert repository.git("rev-parse", "HEAD") == done.commit
    assert (done.new, done.signed, done.notes) == (True, False, ())
    assert repository.commits() == 2
    assert repository.status() == ""
    touched = repository.git("show", "--name-only", "--format=", "HEAD").split()
    assert all(path.startswith(f"{FOLDER}/") for path in touched)
    assert len(touched) == 7
    assert TaskFolder.read(done.path).content_hash == content_hash == approved_hash(done.path)
    assert queue.item(content_hash).state is State.MERGED
    assert queue.verify_log().sound
    report = Report.from_json(json.loads((done.path / "evidence/report.json").read_text()))
    assert report == submission().report
    record = tomllib.loads((done.path / "evidence/record.toml").read_text())
    assert record["approval"]["reviewer"] == REVIEWER
    assert record["approval"]["report_hash"] == report.hash
    assert record["approval"]["event"] == queue.item(content_hash).events[1].hash
    assert [entry["version"] for entry in record["lineage"]] == ["1.0.0"]
    assert [entry["choice"] for entry in record["decision"]] == ["approve"]


def test_the_commit_message_names_everything_in_trailers(queue, repository, approved, submission):
    content_hash = approved(title="Seats: [bold]  x", author="openai:some\\nReviewed-by: X <x@example.org>")
    merge(queue, content_hash, repository.library, identity=KEEPER)
    message = repository.git("log", "-1", "--format=%an <%ae>|%cn|%aI%n%B").split("\n")
    item = queue.item(content_hash)
    assert message == [
        f"{KEEPER}|Kim Keeper|{repository.git('log', '-1', '--format=%aI')}",
        "Add task arithmetic/seat_rotation (1.0.0)",
        "",
        "Seats: [bold] x",
        "",
        "Task: seat_rotation",
        f"Content-Hash: {content_hash}",
        f"Report-Hash: {item.report.hash}",
        f"Brief-Hash: {item.brief.hash}",
        "Made-by: openai:some\\nReviewed-by: X <x@example.org>",
        f"Reviewed-by: {REVIEWER}",
    ]
    assert repository.git("log", "-1", "--format=%(trailers:key=Reviewed-by,valueonly)") == REVIEWER


def test_a_line_break_in_what_a_model_named_cannot_forge_a_trailer(queue, repository, approved):
    approved(author="openai:x\nReviewed-by: Eve <eve@example.org>")
    merge(queue, "seat_rotation", repository.library, identity=KEEPER)
    assert repository.git("log", "-1", "--format=%(trailers:key=Reviewed-by,valueonly)") == REVIEWER


def test_merging_twice_makes_one_commit_and_one_event(queue, repository, approved):
    content_hash = approved()
    first = merge(queue, content_hash, repository.library, identity=KEEPER)
    again = merge(queue, content_hash, repository.library, identity=KEEPER)
    assert (again.commit, again.new) == (first.commit, False)
    assert repository.commits() == 2
    assert [event.kind for event in queue.events()] == ["submitted", "approved", "merged"]


def test_a_commit_whose_event_was_lost_is_found_and_recorded(queue, repository, approved, tmp_path):
    content_hash = approved()
    shutil.copytree(tmp_path / "state", tmp_path / "before")
    first = merge(queue, content_hash, repository.library, identity=KEEPER)
    repository.git("commit", "-q", "--allow-empty", "-m", "Something after it")
    with Queue(tmp_path / "before" / "queue.sqlite") as older:
        assert older.item(content_hash).state is State.APPROVED
        again = merge(older, content_hash, repository.library, identity=KEEPER)
        assert (again.commit, again.new) == (first.commit, False)
        assert older.item(content_hash).state is State.MERGED
        assert older.item(content_hash).events[-1].data["commit"] == first.commit
    assert repository.commits() == 3


def test_an_update_keeps_earlier_evidence_and_removes_files_that_are_gone(queue, repository, approved, submission):
    first = approved(extra={"helper.py": b"A = 1\n", "sub/data.txt": b"x\n"})
    merge(queue, first, repository.library, identity=KEEPER)
    other_evidence = repository.root / FOLDER / "evidence" / "audit.json"
    other_evidence.write_text("{}\n")
    repository.git("add", ".")
    repository.git("commit", "-q", "-m", "Add an audit")
    ignored = repository.root / FOLDER / "__pycache__" / "x.pyc"
    ignored.parent.mkdir()
    ignored.write_bytes(b"cache")
    (repository.root / ".git" / "info" / "exclude").write_text("__pycache__/\n")

    draft = queue.submit(submission(version="1.1.0", body="A = 2\n", parent=first))
    decide(queue, draft, Choice.RETURN, REVIEWER, "too easy", shown_hash=draft)
    second = approved(version="1.1.0", body="A = 3\n", parent=draft, attempt=2, compared=True)
    done = merge(queue, second, repository.library, identity=KEEPER)

    assert repository.git("log", "-1", "--format=%s") == "Update task arithmetic/seat_rotation (1.1.0)"
    assert repository.status() == ""
    assert TaskFolder.read(done.path).content_hash == second
    assert not (done.path / "helper.py").exists()
    assert not (done.path / "sub").exists()
    assert ignored.exists()
    assert other_evidence.exists()
    record = tomllib.loads((done.path / "evidence/record.toml").read_text())
    assert record["approval"]["content_hash"] == second
    assert [entry["content_hash"] for entry in record["lineage"]] == [first, draft, second]
    assert [entry["choice"] for entry in record["decision"]] == ["approve", "return", "approve"]


def test_a_library_may_be_the_repository_itself_or_a_folder_that_is_not_there_yet(queue, repository, approved):
    repository.git("rm", "-r", "-q", "tasks")
    repository.git("commit", "-q", "-m", "Make the repository itself the library")
    approved()
    merge(queue, "seat_rotation", repository.root, identity=KEEPER)
    assert (repository.root / "arithmetic" / "seat_rotation" / "card.toml").exists()
    approved(task_id="other_task")
    merge(queue, "other_task", repository.root / "new" / "deep", identity=KEEPER)
    assert (repository.root / "new" / "deep" / "arithmetic" / "other_task" / "card.toml").exists()
    assert repository.status() == ""


def test_other_files_of_the_user_are_left_alone(queue, repository, approved):
    (repository.root / "notes.txt").write_text("mine, untracked, outside the library\n")
    approved()
    merge(queue, "seat_rotation", repository.library, identity=KEEPER)
    assert repository.status() == "?? notes.txt"
    assert repository.git("worktree", "list").count("\n") == 0
    assert sorted(path.name for path in (repository.root / ".git" / "bootcamp-merge").iterdir()) == ["lock"]


def test_a_linked_work_tree_is_a_checkout_too(queue, repository, approved, tmp_path):
    linked = tmp_path / "linked"
    repository.git("worktree", "add", "-q", "-b", "side", str(linked))
    approved()
    done = merge(queue, "seat_rotation", linked / "tasks", identity=KEEPER)
    assert repository.git("rev-parse", "side") == done.commit
    assert subprocess.run(["git", "status", "--porcelain"], cwd=linked, capture_output=True).stdout == b""
    assert repository.status() == ""
    assert repository.commits() == 1


def test_two_clones_merge_different_tasks_and_join_without_conflict(queue, repository, approved, tmp_path):
    class_ = type(repository)
    clones = []
    for name in ("one", "two"):
        repository.git("clone", "-q", str(repository.root), str(tmp_path / name))
        clones.append(class_(tmp_path / name))
    for number, clone in enumerate(clones):
        approved(task_id=f"task_{number}")
        merge(queue, f"task_{number}", clone.library, identity=KEEPER)
        touched = clone.git("show", "--name-only", "--format=", "HEAD").split()
        assert {"/".join(path.split("/")[:3]) for path in touched} == {f"tasks/arithmetic/task_{number}"}
    clones[0].git("pull", "-q", "--no-rebase", str(clones[1].root), "main")
    names = sorted(path.name for path in (clones[0].library / "arithmetic").iterdir())
    assert names == ["task_0", "task_1"]
    assert clones[0].status() == ""


def test_hooks_see_the_new_folder_in_a_complete_checkout(queue, repository, approved):
    repository.hook(
        "pre-commit",
        f'test -f other.txt && test -f {FOLDER}/card.toml && test "$BOOTCAMP_BRANCH" = main || exit 1\n'
        "git diff --cached --name-only > $HOME/staged\ngit status --porcelain > $HOME/status\n",
    )
    repository.hook("commit-msg", 'printf "Ticket: 7\\n" >> "$1"\n')
    approved()
    merge(queue, "seat_rotation", repository.library, identity=KEEPER)
    home = repository.root.parent / "home"
    assert len((home / "staged").read_text().split()) == 7
    assert all(line.startswith("A  ") for line in (home / "status").read_text().splitlines())
    assert repository.git("log", "-1", "--format=%(trailers:key=Ticket,valueonly)") == "7"
    assert repository.status() == ""


def test_a_sha256_repository_with_its_own_hooks_folder_is_fine(queue, repository, approved, tmp_path):
    made = type(repository)(tmp_path / "sha256")
    (made.root / ".hooks").mkdir(parents=True)
    made.git("init", "-q", "--object-format=sha256")
    made.git("config", "core.hooksPath", ".hooks")
    (made.root / ".hooks" / "pre-commit").write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    made.git("add", ".")
    made.git("commit", "-q", "-m", "Start")
    (made.root / ".hooks" / "pre-commit").chmod(0o755)
    made.git("commit", "-q", "-a", "--no-verify", "-m", "Switch the hook on")
    assert not (tmp_path / "ran").exists()
    done = merge(queue, approved(), made.library, identity=KEEPER)
    assert (tmp_path / "ran").exists()
    assert len(done.commit) == 64
    assert made.status() == ""


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")
def test_a_repository_that_is_set_to_sign_gets_a_signed_commit(queue, repository, approved, tmp_path):
    key = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    for name, value in (("gpg.format", "ssh"), ("user.signingkey", f"{key}.pub"), ("commit.gpgsign", "true")):
        repository.git("config", name, value)
    (tmp_path / "allowed").write_text(f"kim@example.org {key.with_suffix('.pub').read_text()}")
    repository.git("config", "gpg.ssh.allowedSignersFile", str(tmp_path / "allowed"))
    approved()
    assert merge(queue, "seat_rotation", repository.library, identity=KEEPER).signed
    repository.git("verify-commit", "HEAD")


def test_both_who_approved_stand_in_commit_and_record(queue, submission, repository):
    second = "Otto Other <otto@example.org>"
    ref = queue.submit(submission(body="HALF = Score.partial\n"))
    queue.note(ref, second, "page")
    for person in (REVIEWER, second):
        decide(queue, ref, Choice.APPROVE, person, shown_hash=ref)
    merged = merge(queue, ref, repository.library, identity=KEEPER)
    message = repository.git("show", "-s", "--format=%B", merged.commit)
    assert message.endswith(f"Reviewed-by: {REVIEWER}\nReviewed-by: {second}")
    record = tomllib.loads((merged.path / "evidence" / "record.toml").read_text())
    assert [(made["reviewer"], made["opened"], made["policy"]) for made in record["decision"]] == [
        (REVIEWER, [], "review/5"), (second, ["page"], "review/5"),
    ]  # fmt: skip


def test_what_one_library_has_can_be_merged_into_another_but_not_twice_into_a_stale_clone(
    queue, repository, approved, tmp_path
):
    stale = tmp_path / "stale"
    subprocess.run(["git", "clone", "-q", str(repository.library.parent), str(stale)], check=True)
    content_hash = approved()
    first = merge(queue, content_hash, repository.library, identity=KEEPER)
    with pytest.raises(ReviewRuleError, match="this checkout of the library has not"):
        merge(queue, content_hash, stale / "tasks", identity=KEEPER)

    other = tmp_path / "other"
    subprocess.run(["git", "init", "-q", "-b", "main", str(other)], check=True)
    (other / "tasks").mkdir()
    (other / "tasks" / "README.md").write_text("another library\n")
    subprocess.run(["git", "-C", str(other), "add", "-A"], check=True)
    start = ["-c", "user.name=Kim Keeper", "-c", "user.email=kim@example.org", "commit", "-q", "-m", "Start"]
    subprocess.run(["git", "-C", str(other), *start], check=True)
    second = merge(queue, content_hash, other / "tasks", identity=KEEPER)
    assert second.new
    assert second.commit != first.commit
    assert not merge(queue, content_hash, other / "tasks", identity=KEEPER).new
    assert not merge(queue, content_hash, repository.library, identity=KEEPER).new
    assert queue.verify_log().sound


def test_a_log_that_was_written_anew_does_not_fit_the_librarys_records(
    queue, repository, approved, submission, tmp_path
):
    ref = approved()
    merge(queue, ref, repository.library, identity=KEEPER)
    assert tied(queue, repository.library) == Tied(1)
    with Queue(tmp_path / "anew.sqlite") as anew:
        assert tied(anew, repository.library) == Tied(0), "another queue's tasks are not its concern"
        anew.submit(submission())
        decide(anew, ref, Choice.APPROVE, "Someone Else <else@example.org>", shown_hash=ref)
        assert anew.verify_log().sound, "a chain has no key"
        (problem,) = tied(anew, repository.library).problems
    assert "arithmetic/seat_rotation: the event that approved it" in problem
