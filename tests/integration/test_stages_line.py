"""All stages on, through the real command, gate and sandbox, over both wire protocols; the funnel is opt-in."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest

from authoring.outcomes import OutcomeKind
from tests.authoring.cast import as_request
from tests.authoring.planted import Planted, answers, caught_by_opponents, odd_ones, reply_of
from tests.integration.conftest import Place
from tests.wire_servers.reply import fails
from tests.wire_servers.server import WireServer

pytestmark = pytest.mark.docker

MENDED = {"mended_crate_zero": "oppose.accepts_wrong", "fact_added": "oppose.missing_fact"}


def write_briefs(place: Place, planted: list[Planted]) -> list[str]:
    paths = []
    for item in planted:
        brief = item.brief
        path = place.home / f"{brief.id}.md"
        path.write_text(
            f'+++\nid = "{brief.id}"\nfamily = "puzzles"\ntitle = "{brief.title}"\nlicence = "CC0-1.0"\n+++\n'
            f"\n{brief.text}\n"
        )
        paths.append(str(path))
    return paths


@pytest.mark.parametrize(
    ("server_name", "names"),
    [
        ("openai_server", ("fact_added", "helpers_in_prose")),
        ("anthropic_server", ("mended_crate_zero", "injected_sound")),
    ],
)
def test_holes_and_lacking_prompts_are_found_by_opponents_and_mended(
    server_name: str, names: tuple[str, ...], place: Place, request: pytest.FixtureRequest
) -> None:
    server: WireServer = request.getfixturevalue(server_name)
    provider = server_name.split("_")[0]
    planted = [item for item in (*caught_by_opponents(), *odd_ones()) if item.name in names]
    said, asked = answers(planted), iter(range(10_000))

    def answer(body: Any) -> Any:
        number = next(asked)
        if number in (0, 5):  # each protocol's way to say that it has too much to do, in the middle of things
            return fails(429 if number else 529, "slow down", retry_after="0")
        return reply_of(said(as_request(body)))

    server.answer = answer
    environment = {
        f"{provider.upper()}_API_KEY": "sk-test-0123456789",
        f"{provider.upper()}_BASE_URL": server.url,
        "BOOTCAMP_STAGES": "all",
        "BOOTCAMP_CALIBRATION_CASES": "1",
    }
    arguments = (*write_briefs(place, planted), "--author", f"{provider}:test-model", "--candidates", "1")
    run = place.json("author", *arguments, **environment)
    assert {item["kind"] for item in run["outcomes"]} == {"queued"}
    roles = {line["role"]: line["answered"] for line in run["spent"]["lines"]}
    assert roles.keys() == {"analyst", "author", "opponent", "attacker", "solver"}
    assert sum(item["calls"] for item in run["outcomes"]) == sum(roles.values())
    turns = {item["brief_id"]: item["turns"] for item in run["outcomes"]}
    assert turns == {name: 2 if name in MENDED else 1 for name in names}
    told = [str(item.json["messages"]) for item in server.requests if "did not pass" in str(item.json["messages"])]
    (mended,) = set(names) & set(MENDED)
    assert any(f"Puzzle {mended}:" in text and MENDED[mended] in text for text in told), "the finding was fed back"
    (ref,) = [item["ref"] for item in place.json("review", "list") if item["task_id"] == mended]
    before = json.dumps(place.json("review", "show", ref, "--no-cases"))
    assert "a model's opinion: told after you judged" in before
    assert "blind_right" not in before
    pair = place.json("review", "judge", ref)
    assert pair.keys() == {"level", "seed", "prompt", "answers"}, "nothing says which is right"
    assert "the task says" in place.popen("review", "judge", ref, "--answer", "1").communicate()[0]
    assert "blind_right" in json.dumps(place.json("review", "show", ref, "--no-cases")), "told after the judgement"


@pytest.mark.timeout(1800)
@pytest.mark.skipif(not os.environ.get("BOOTCAMP_FUNNEL"), reason="takes minutes: set BOOTCAMP_FUNNEL=1")
def test_every_planted_fault_is_stopped_where_it_should_be_and_every_sound_task_is_queued() -> None:
    from benchmarks.workflow import run_funnel
    from tests.authoring.planted import everything

    found, _ = run_funnel(everything())
    assert not [passage.item.name for passage in found if not passage.as_it_should]
    assert sum(passage.outcome.kind is OutcomeKind.QUEUED for passage in found) > 15
