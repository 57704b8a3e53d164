"""A merged task is mended: from a bug report, from an audit, from a changed brief; and what that changes is told."""

import json
import os
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

from authoring.draft_contract import assemble
from authoring.drafts import read_files
from authoring.prompts import Prompts
from bootcamp_kit.brief import Brief, Source
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.jsondata import digest
from bootcamp_kit.library import Library
from chat_models.protocol import ChatReply, StopReason, Usage
from sandbox.audit.rows import RowFile, row
from tests.integration.conftest import Place
from tests.wire_servers.openai_server import OpenAIServer
from tests.wire_servers.reply import fails, says

pytestmark = pytest.mark.docker

GOOD = Prompts().example
CHECK = "        if not all(1 <= number"
SLIP = '        if len(answer) < 2:\n            return Score.wrong("one crate is never enough")\n'
BAD = GOOD.replace(CHECK, SLIP + CHECK)
TEXT = "A lift starts only when it carries exactly the load it was set to. Choose crates that weigh exactly that much."
CASE = '{"level": 1, "payload": {"weights": [4, 9, 13, 30], "load": 13}}'
REPORT = ("--report", "One crate alone is turned down", "--case", CASE, "--response", "<answer>3</answer>")
FLAGS = ("--author", "openai:test-model", "--candidates", "1")


def file_of(reply: str, name: str) -> str:
    start = reply.index(f"=== FILE {name} ===")
    return reply[start : reply.index("=== END FILE ===", start)] + "=== END FILE ===\n"


MENDED = file_of(GOOD, "bootcamp.py")


def stand(place: Place, task_id: str) -> TaskFolder:
    """The task with the slip, approved and committed; its brief is known nowhere but in its folder."""
    brief = Brief(task_id, "puzzles", "Crates in a lift", TEXT, Source("brief", "t", "CC0-1.0", digest(TEXT.encode())))
    files = read_files(ChatReply(BAD, StopReason.END, Usage(), "m"))
    folder = assemble(files, brief, author="openai:older-model")
    path = place.library / "puzzles" / task_id
    folder.write(path)
    (path / "evidence").mkdir()
    (path / "evidence" / "record.toml").write_text(f'schema = 1\n[approval]\ncontent_hash = "{folder.content_hash}"\n')
    place.git("add", "-A")
    place.git("commit", "-q", "-m", f"Add {task_id}")
    return folder


@pytest.fixture
def model(openai_server: OpenAIServer) -> dict[str, str]:
    return {"OPENAI_API_KEY": "sk-test-0123456789abcdef", "OPENAI_BASE_URL": openai_server.url}


def standing(place: Place) -> dict[str, str]:
    return {entry.card.id: entry.card.version for entry in Library(place.library).scan()[0]}


def test_a_bug_report_becomes_an_example_a_repair_and_a_new_version(
    place: Place, openai_server: OpenAIServer, model: dict[str, str]
) -> None:
    stand(place, "crate_lift")
    refused = ("--report", "Too few", "--case", CASE, "--response", "<answer>1, 1</answer>")
    said = place.json("repair", "crate_lift", *refused, "--expected", "wrong", *FLAGS, code=1, **model)
    assert said["fails"] is False
    assert "named twice" in said["seen"]
    assert not openai_server.requests, "nothing is asked of a model"

    without_example = MENDED + file_of(GOOD, "examples.toml")
    openai_server.script([says(without_example)])
    run = place.json("repair", "crate_lift", *REPORT, *FLAGS, **model)
    assert run["outcomes"][0]["kind"] == "queued", run
    told = str(openai_server.requests[-1].json["messages"][-1])
    assert "shown to fail: One crate alone" in told
    (change,) = run["changes"].values()
    assert (change["since"], change["size"]) == ("1.0.0", "minor")
    assert change["files"] == ["bootcamp.py", "card.toml", "examples.toml"], "the card names its new author"
    assert change["changed"] == {"examples": 1, "gate answers": 0}, "that verdict and no other"
    assert change["asked"]["gate answers"] > 100

    ref = place.json("review", "list")[0]["ref"]
    page = place.bootcamp("review", "show", ref, "--no-cases")
    assert "replaces: version 1.0.0" in " ".join(page.split())
    assert "1 of" in page
    assert "two people must approve it: it changes verdicts of a merged task (1 seen)" in " ".join(page.split())
    for person in ("Bo Two <bo@example.org>", "Cy Three <cy@example.org>"):
        place.approve(ref, "--reviewer", person)
    place.bootcamp("merge", ref)
    assert standing(place) == {"crate_lift": "1.1.0"}
    examples = (place.library / "puzzles" / "crate_lift" / "examples.toml").read_text()
    assert "reported: One crate alone is turned down" in examples, "the model wrote the file anew; the example stayed"
    fixed = place.json("repair", "crate_lift", *REPORT, *FLAGS, code=1, **model)
    assert fixed["seen"] == "score 1.0 (correct)"


def rows(place: Place, **contents: str) -> Path:
    finding: dict[str, Any] = {
        "code": "still_right.rejected", "severity": "major", "message": "a right answer is rejected", "hint": "",
        "witness": {"kind": "score", "level": 1, "seed": 0, "response": "<answer>3</answer>", "hash_seeds": [],
                    "file": "", "line": 0, "expected": "correct", "seen": "wrong"},
    }  # fmt: skip
    path = place.home / "audit.jsonl"
    for name, content in contents.items():
        RowFile(path).add(row(name, f"{content[:32]}-0123456789abcdef", "fail", findings=[finding]))
    return path


def test_a_whole_library_is_repaired_from_an_audit_and_goes_on_after_a_stop(
    place: Place, openai_server: OpenAIServer, model: dict[str, str]
) -> None:
    path = rows(place, crate_lift=stand(place, "crate_lift").content_hash, gone_lift="0" * 64)
    openai_server.script([fails(401, "bad key")])
    process = place.popen("repair", "--all", "--from", str(path), *FLAGS, "--parallel", "1", **model)
    _, err = process.communicate(timeout=240)
    assert process.returncode == 3, err
    assert "passed over: gone_lift: no task of the library has these bytes" in err
    openai_server.script([says(MENDED)])
    run = place.json("author", "--resume", "last", **model)
    assert [(item["brief_id"], item["kind"]) for item in run["outcomes"]] == [("crate_lift", "queued")]
    assert {change["size"] for change in run["changes"].values()} == {"minor"}
    assert {item["version"] for item in place.json("review", "list")} == {"1.1.0"}
    again = place.popen("repair", "--all", "--from", str(path), *FLAGS, **model)
    assert "a new version is in review already: crate_lift@" in again.communicate(timeout=240)[1]
    assert again.returncode == 1
    place.bootcamp("repair", "crate_lift", "--from", str(rows(place, crate_lift="1" * 64)), *FLAGS, code=2, **model)


@pytest.mark.timeout(1800)
@pytest.mark.skipif(not os.environ.get("KILL_REPAIRS"), reason="takes minutes: set KILL_REPAIRS=1")
def test_eight_repairs_killed_four_times_end_as_if_they_had_run_through(
    place: Place, openai_server: OpenAIServer, model: dict[str, str]
) -> None:
    names = [f"crate_lift_{letter}" for letter in "abcdefgh"]
    path = rows(place, **{name: stand(place, name).content_hash for name in names})
    openai_server.script([says(MENDED)] * 40)
    command: tuple[str, ...] = ("repair", "--all", "--from", str(path), *FLAGS, "--parallel", "2")
    chance = Random(3)
    for _ in range(4):
        asked = len(openai_server.requests)
        process = place.popen(*command, **model)
        while process.poll() is None and len(openai_server.requests) == asked:
            time.sleep(0.1)
        time.sleep(chance.uniform(0, 5))
        process.kill()
        process.communicate()
        command = ("author", "--resume", "last")
    run = place.json(*command, **model)
    assert {item["brief_id"]: item["kind"] for item in run["outcomes"]} == dict.fromkeys(names, "queued")
    assert len(openai_server.requests) == len(names), "no call is paid twice"
    assert {item["task_id"]: item["version"] for item in place.json("review", "list")} == dict.fromkeys(names, "1.1.0")
    assert place.json("review", "log", "--verify")["problems"] == []


@pytest.mark.skipif(not os.environ.get("BOOTCAMP_REPAIR_LINE"), reason="one gate more: set BOOTCAMP_REPAIR_LINE=1")
def test_a_changed_brief_of_the_same_id_makes_a_new_version(
    place: Place, openai_server: OpenAIServer, model: dict[str, str]
) -> None:
    stand(place, "crate_lift")
    brief = place.home / "lift.md"
    front = '+++\nid = "lift_again"\nfamily = "other"\ntitle = "Crates in a lift"\nlicence = "CC0-1.0"\n+++\n\n'
    brief.write_text(f"{front}{TEXT} Weights are in pounds.\n")
    openai_server.script([says(GOOD.replace(" kg", " lb"))])
    run = place.json("author", str(brief), "--replaces", "crate_lift", *FLAGS, **model)
    (change,) = run["changes"].values()
    assert (change["size"], change["prompts_changed"]) == ("major", change["cases"])
    item = place.json("review", "list")[0]
    assert (item["task_id"], item["family"], item["version"]) == ("crate_lift", "puzzles", "2.0.0")
    assert json.loads(place.bootcamp("library", "show", "crate_lift", "--json"))
