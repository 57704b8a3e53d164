from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest

from bootcamp_kit.decision import Approval, Choice, Decision
from bootcamp_kit.errors import MachineError, ReviewRuleError, UsageError
from bootcamp_kit.report import Verdict
from review.decide import decide
from review.item import State
from review.merge import merge
from review.merge_rules import MergeFacts, Standing, merge_refusal

KEEPER = "Kim Keeper <kim@example.org>"
REVIEWER = "Rae Viewer <rae@example.org>"
A, B = "a" * 64, "b" * 64
DECIDED = Decision(Choice.APPROVE, REVIEWER, "compiler/1", A, "r" * 64, "2026-11-30T12:00:00Z")
GOOD = MergeFacts(
    state=State.APPROVED,
    approval=Approval(DECIDED),
    log_sound=True,
    origin_sound=True,
    submitted_hash=A,
    content_hash=A,
    exported_hash=None,
    report_hash="r" * 64,
    report_about=A,
    verdict=Verdict.PASS,
    address="arithmetic/seats",
    expected_id="seats",
    version="1.0.0",
    card_licence="MIT",
    brief_licence="MIT",
    brief_hash="f" * 64,
    parent="",
    standing=None,
)
OLD = Standing("arithmetic/seats", "0.9.9", B, ("f" * 64,))


@pytest.mark.parametrize(
    ("facts", "found"),
    [
        (GOOD, None),
        (replace(GOOD, exported_hash=A), None),
        (replace(GOOD, standing=OLD), None),
        (replace(GOOD, standing=replace(OLD, version="1.0.0", content_hash=A)), None),
        (replace(GOOD, standing=replace(OLD, brief_hashes=()), parent=B), None),
        (replace(GOOD, version="1.10.0", standing=replace(OLD, version="1.9.0")), None),
        (replace(GOOD, state=State.QUEUED), "queued, not approved"),
        (replace(GOOD, state=State.REJECTED), "rejected, not approved"),
        (replace(GOOD, two_because=("risk",), approvers=("A <a@b.c>", "B <b@b.c>")), None),
        (replace(GOOD, two_because=("risk",), approvers=("A <a@b.c>",)), "two people must approve it (risk), 1 did"),
        (replace(GOOD, two_because=("risk",), approvers=("A <a@b.c>", "B <A@b.c>")), "two people must approve it"),
        (replace(GOOD, approval=None), "not approved"),
        (replace(GOOD, log_sound=False), "events of this item were changed"),
        (replace(GOOD, origin_sound=False), "brief or its lineage"),
        (replace(GOOD, content_hash=B), "content changed since approval"),
        (replace(GOOD, submitted_hash=B), "not what was submitted"),
        (replace(GOOD, exported_hash=B), "exported folder changed"),
        (replace(GOOD, report_hash="s" * 64), "report changed"),
        (replace(GOOD, report_about=B), "report changed"),
        (replace(GOOD, verdict=Verdict.FAIL), "says fail"),
        (replace(GOOD, card_licence="unknown"), "licence is unknown"),
        (replace(GOOD, brief_licence="NOASSERTION"), "licence is unknown"),
        (replace(GOOD, card_licence="Freely"), "'Freely' is no SPDX licence expression"),
        (replace(GOOD, brief_licence="MIT AND (MIT"), "no SPDX licence expression"),
        (replace(GOOD, brief_licence="mit"), "spelled MIT on SPDX's list"),
        (replace(GOOD, brief_licence="GPL-3.0-only"), "card says licence MIT, its brief GPL-3.0-only"),
        (replace(GOOD, expected_id="chairs"), "names it seats, the queue chairs"),
        (replace(GOOD, standing=replace(OLD, retired=True)), "was retired"),
        (replace(GOOD, standing=replace(OLD, address="logic/seats")), "stands in the library as logic/seats"),
        (replace(GOOD, standing=replace(OLD, brief_hashes=("e" * 64,))), "made from another brief"),
        (replace(GOOD, strangers=("src", "docs")), "no task in this library, but src, docs"),
        (replace(GOOD, standing=OLD, strangers=("src",)), None),
        (replace(GOOD, compared_with=B), "new version of bbbbbbbbbbbb, and this library has no task seats"),
        (replace(GOOD, standing=OLD, compared_with=B), None),
        (replace(GOOD, standing=OLD, compared_with="c" * 64), "against cccccccccccc, and bbbbbbbbbbbb (version 0.9.9)"),
        (replace(GOOD, standing=replace(OLD, version="1.0.0")), "bytes differ from version 1.0.0"),
        (replace(GOOD, standing=replace(OLD, version="1.0.1")), "bytes differ from version 1.0.1"),
    ],
)
def test_the_merge_rules(facts, found):
    refused = merge_refusal(facts)
    if found is None:
        assert refused is None
    else:
        assert refused is not None
        assert found in refused.found
        assert refused.do


@pytest.fixture
def refuses(queue, repository):
    """Merge, expect a refusal with exit code 5, and nothing changed anywhere."""

    def check(found: str, *, do: str = "", ref: str = "seat_rotation", library: Path | None = None, **options):
        before = repository.git("rev-parse", "HEAD"), repository.status(), len(queue.events())
        with pytest.raises(ReviewRuleError, match=found) as caught:
            merge(queue, ref, library or repository.library, identity=KEEPER, **options)
        assert caught.value.exit_code == 5
        assert do in caught.value.do
        assert (repository.git("rev-parse", "HEAD"), repository.status(), len(queue.events())) == before
        assert not (repository.root / ".git" / "index.lock").exists()
        assert repository.git("worktree", "list").count("\n") == 0

    return check


def tamper(path: Path, statement: str) -> None:
    with sqlite3.connect(path) as raw:
        raw.execute(statement)
    raw.close()


def test_only_what_is_approved_is_merged(queue, submission, refuses):
    queue.submit(submission())
    refuses("queued, not approved", do="bootcamp review approve")


def test_approve_then_change_one_byte_and_the_merge_says_why(queue_path, approved, refuses):
    content_hash = approved()
    tamper(queue_path, "UPDATE review_files SET data = CAST('ORACLE = 0000\n' AS BLOB) WHERE path = 'oracle.py'")
    refuses(f"content changed since approval: approved {content_hash[:12]}", do="submit the changed candidate")


def test_an_exported_folder_that_was_edited_is_refused(queue, approved, refuses, tmp_path):
    content_hash = approved()
    folder = tmp_path / "export"
    queue.item(content_hash).folder.write(folder)
    with (folder / "brief.md").open("a") as out:
        out.write(" ")
    refuses("exported folder changed since approval", exported=folder)


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("UPDATE review_bodies SET report = replace(report, '\"n\":60', '\"n\":61')", "report changed since approval"),
        ("UPDATE review_bodies SET brief = replace(brief, 'Seats', 'Chairs')", "brief or its lineage"),
        ("UPDATE review_items SET task_id = 'seats'", "names it seat_rotation, the queue seats"),
    ],
)
def test_whatever_else_was_tampered_with_is_refused(queue_path, approved, refuses, statement, found):
    content_hash = approved()
    tamper(queue_path, statement)
    refuses(found, ref=content_hash)


def test_an_approval_forged_in_the_database_is_refused(queue, queue_path, submission, refuses):
    content_hash = queue.submit(submission())
    tamper(queue_path, "UPDATE review_items SET state = 'approved'")
    refuses("not approved", ref=content_hash)
    decide_event = (
        "INSERT INTO review_events SELECT 2, content_hash, at, 'x', 'approved', "
        f'\'{{"choice":"approve","reviewer":"R <r@example.org>","author":"a","content_hash":"{content_hash}",'
        '"report_hash":"","at":"","reason":""}\', hash, hash FROM review_events'
    )
    tamper(queue_path, decide_event)
    refuses("events of this item were changed", ref=content_hash)


def test_an_unknown_licence_is_never_merged(approved, refuses):
    approved(licence="unknown")
    refuses("licence is unknown", do="find out the licence")


def test_an_id_in_another_family_is_taken(queue, repository, approved, refuses):
    merge(queue, approved(family="logic"), repository.library, identity=KEEPER)
    refuses("stands in the library as logic/seat_rotation", ref=approved(version="2.0.0"))


def test_an_id_of_another_brief_is_taken(queue, repository, approved, refuses):
    merge(queue, approved(), repository.library, identity=KEEPER)
    refuses("made from another brief", ref=approved(version="2.0.0", text="Something else entirely."))


def test_other_bytes_need_a_higher_version(queue, repository, approved, refuses):
    merge(queue, approved(), repository.library, identity=KEEPER)
    refuses("bytes differ from version 1.0.0", do="above 1.0.0: PATCH when only words", ref=approved(body="A = 1\n"))


def test_a_record_that_cannot_be_read_is_not_overwritten(queue, repository, approved, refuses):
    done = merge(queue, approved(), repository.library, identity=KEEPER)
    (done.path / "evidence" / "record.toml").write_text("schema = 99\n")
    repository.git("commit", "-q", "-a", "-m", "Break the record")
    refuses("schema is 99", ref=approved(version="2.0.0", body="A = 1\n"))


def test_merged_elsewhere_but_not_here_says_pull(queue, repository, approved, refuses):
    content_hash = approved()
    done = merge(queue, content_hash, repository.library, identity=KEEPER)
    repository.git("reset", "-q", "--hard", "HEAD~1")
    refuses(f"merged before, as commit {done.commit[:12]}", do="pull", ref=content_hash)


def test_a_dirty_tree_is_refused_and_named(repository, approved, refuses):
    approved()
    (repository.root / "other.txt").write_text("changed\n")
    refuses("uncommitted changes: other.txt")
    repository.git("add", ".")
    refuses("uncommitted changes: other.txt")
    repository.git("reset", "-q", "--hard")
    (repository.library / "stray \x1b[31m.txt").write_text("untracked\n")
    refuses(r"untracked files in the library: tasks/stray \\x1b\[31m\.txt")


def test_a_detached_head_is_refused(repository, approved, refuses):
    approved()
    repository.git("checkout", "-q", "--detach")
    refuses("HEAD is detached", do="git switch")


def test_a_merge_in_progress_is_refused(repository, approved, refuses):
    approved()
    repository.git("checkout", "-q", "-b", "side")
    (repository.root / "other.txt").write_text("side\n")
    repository.git("commit", "-q", "-a", "-m", "Side")
    repository.git("checkout", "-q", "main")
    (repository.root / "other.txt").write_text("main\n")
    repository.git("commit", "-q", "-a", "-m", "Main")
    repository.git("merge", "side", check=False)
    refuses("a merge is in progress", do="finish or abort it")


def test_no_repository_no_merge(queue, repository, approved, tmp_path):
    approved()
    outside = tmp_path / "outside"
    outside.mkdir()
    with pytest.raises(ReviewRuleError, match="not in a git repository"):
        merge(queue, "seat_rotation", outside, identity=KEEPER)
    subprocess.run(["git", "init", "-q", "--bare", str(tmp_path / "bare")], check=True)
    with pytest.raises(ReviewRuleError, match="bare"):
        merge(queue, "seat_rotation", tmp_path / "bare", identity=KEEPER)
    subprocess.run(["git", "init", "-q", str(outside)], check=True)
    with pytest.raises(ReviewRuleError, match="no commit yet"):
        merge(queue, "seat_rotation", outside, identity=KEEPER)


def test_a_repository_of_something_else_is_refused(repository, approved, refuses):
    approved()
    (repository.root / "src").mkdir()
    (repository.root / "src" / "code.py").write_text("A = 1\n")
    repository.git("add", ".")
    repository.git("commit", "-q", "-m", "Other work")
    refuses("no task in this library, but src, tasks", do="right repository", library=repository.root)


def test_installed_packages_and_the_git_directory_are_never_written(repository, approved, refuses):
    approved()
    refuses("installed package", library=repository.root / "lib" / "site-packages" / "generated_bootcamps")
    refuses("not in a git repository|not inside the work tree", library=repository.root / ".git" / "tasks")


def test_a_link_inside_the_library_is_not_followed(repository, approved, refuses, tmp_path):
    approved()
    (tmp_path / "elsewhere").mkdir()
    (repository.library / "arithmetic").symlink_to(tmp_path / "elsewhere")
    repository.git("add", ".")
    repository.git("commit", "-q", "-m", "Link")
    refuses("arithmetic")
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_ignored_files_in_the_way_are_not_overwritten(repository, approved, refuses):
    approved()
    (repository.root / ".git" / "info" / "exclude").write_text("oracle.py\n")
    mine = repository.library / "arithmetic" / "seat_rotation" / "oracle.py"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine\n")
    refuses("oracle.py on disk is not what is committed")
    assert mine.read_text() == "mine\n"


@pytest.mark.parametrize("name", ["pre-commit", "prepare-commit-msg", "commit-msg"])
def test_a_failing_hook_refuses_with_its_words(repository, approved, refuses, name):
    approved()
    repository.hook(name, "echo 'no tasks on \x1b[31mMondays' >&2\nexit 1\n")
    refuses(r"no tasks on \\x1b\[31mMondays")


def test_a_hook_that_moves_refs_is_heard(repository, approved, refuses):
    approved()
    repository.hook("reference-transaction", "grep -q refs/heads/ && exit 1\nexit 0\n")
    refuses("would not move refs/heads/main")


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("printf x >> tasks/arithmetic/seat_rotation/oracle.py\ngit add -u\n", "changed the approved bytes"),
        ("echo hello > stamp.txt\ngit add stamp.txt\n", "changed stamp.txt, outside"),
    ],
)
def test_a_hook_that_changes_the_commit_is_refused(repository, approved, refuses, script, found):
    approved()
    repository.hook("pre-commit", script)
    refuses(found)


def test_a_hook_that_drops_a_trailer_is_refused(repository, approved, refuses):
    approved()
    repository.hook("commit-msg", 'sed -i /^Reviewed-by/d "$1"\n')
    refuses("dropped the trailer 'Reviewed-by: Rae")


def test_signing_that_fails_refuses(repository, approved, refuses):
    approved()
    repository.git("config", "commit.gpgsign", "true")
    repository.git("config", "gpg.program", "/bin/false")
    refuses("most likely its signing")


@pytest.mark.parametrize(
    ("attributes", "place", "hook"),
    [
        ("*.md text eol=lf", "tasks", False),
        ("*.md text eol=crlf", ".", False),
        ("*.md ident", "tasks", True),
    ],
)
def test_attributes_that_would_change_bytes_are_refused(repository, approved, refuses, attributes, place, hook):
    (repository.root / place / ".gitattributes").write_text(f"{attributes}\n")
    repository.git("add", ".")
    repository.git("commit", "-q", "-m", "Attributes")
    if hook:
        repository.hook("pre-commit", "exit 0\n")
    approved(text="Line $Id$ one.\r\nLine two.\n")
    refuses("would change the bytes of brief.md", do=".gitattributes")


def test_a_person_must_do_the_merge(queue, repository, approved):
    approved()
    with pytest.raises(ReviewRuleError, match="not of the form Name <mail>"):
        merge(queue, "seat_rotation", repository.library, identity="root")


def test_another_git_command_at_work_is_respected(queue, repository, approved):
    approved()
    lock = repository.root / ".git" / "index.lock"
    lock.write_text("")
    with pytest.raises(MachineError, match="another git command is at work"):
        merge(queue, "seat_rotation", repository.library, identity=KEEPER)
    assert lock.exists()
    assert repository.commits() == 1
    lock.unlink()
    merge(queue, "seat_rotation", repository.library, identity=KEEPER)


def test_a_redirected_git_is_refused(queue, repository, approved, monkeypatch):
    approved()
    monkeypatch.setenv("GIT_INDEX_FILE", "/elsewhere")
    with pytest.raises(UsageError, match="GIT_INDEX_FILE is set"):
        merge(queue, "seat_rotation", repository.library, identity=KEEPER)


def test_an_approval_withdrawn_while_hooks_run_stops_the_merge(queue, queue_path, repository, approved, refuses):
    content_hash = approved()
    script = f"""
        from pathlib import Path
        from review.decide import Choice, decide
        from review.queue import Queue
        with Queue(Path({str(queue_path)!r})) as queue:
            ref = {content_hash!r}
            decide(queue, ref, Choice.REJECT, "Rae Viewer <rae@example.org>", "no", shown_hash=ref)
    """
    withdraw = repository.root.parent / "withdraw.py"
    withdraw.write_text(textwrap.dedent(script))
    repository.hook("pre-commit", f"cd {Path(__file__).parents[2]} && {sys.executable} {withdraw}\n")
    head = repository.git("rev-parse", "HEAD")
    with pytest.raises(ReviewRuleError, match="it is rejected"):
        merge(queue, content_hash, repository.library, identity=KEEPER)
    assert repository.git("rev-parse", "HEAD") == head
    assert repository.status() == ""


def test_a_branch_that_moves_while_hooks_run_stops_the_merge(queue, repository, approved):
    approved()
    repository.hook("pre-commit", "git update-ref refs/heads/main $(git commit-tree -p main -m Other main^{tree})\n")
    with pytest.raises(ReviewRuleError, match="branch moved meanwhile"):
        merge(queue, "seat_rotation", repository.library, identity=KEEPER)
    assert repository.git("log", "-1", "--format=%s") == "Other"
    assert repository.status() == ""


AS_NOBODY = """
    import fcntl, git, os, sys, tempfile
    from pathlib import Path
    from bootcamp_kit.errors import ReviewRuleError
    from review.checkout import Checkout
    os.environ["HOME"] = "/nonexistent"
    os.environ["GIT_CONFIG_GLOBAL"] = "/dev/null"
    os.chdir("/")
    os.setgid(65534)
    os.setuid(65534)
    checkout = Checkout.open(Path({library!r}))
    try:
        with checkout.exclusively():
            checkout.refuse_unless_ready("merging")
    except ReviewRuleError as error:
        print(error)
"""


@pytest.mark.skipif(os.getuid() != 0, reason="needs root to become somebody with fewer rights")
def test_a_read_only_checkout_is_refused(repository):
    nobodys = Path("/tmp") / f"read-only-checkout-{os.getpid()}"
    shutil.copytree(repository.root, nobodys)
    try:
        for place in (nobodys, *nobodys.rglob("*")):
            os.chown(place, 65534, 65534)
            place.chmod(0o555 if place.is_dir() else 0o444)
        script = textwrap.dedent(AS_NOBODY.format(library=str(nobodys / "tasks")))
        done = subprocess.run(
            [sys.executable, "-c", script], cwd=Path(__file__).parents[2], capture_output=True, text=True, timeout=60
        )
        assert "the checkout is read-only" in done.stdout, done.stderr
    finally:
        shutil.rmtree(nobodys)


def test_returning_an_item_before_the_merge_refuses_it(queue, approved, refuses):
    content_hash = approved()
    decide(queue, content_hash, Choice.RETURN, REVIEWER, "wait", shown_hash=content_hash)
    refuses("returned, not approved")
