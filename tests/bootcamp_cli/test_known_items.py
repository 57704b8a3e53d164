"""Known items come in by themselves when enough candidates wait, from the checkout or from a named folder."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from bootcamp_cli.known_items import known_place, submitting
from bootcamp_cli.known_sources import ToCompile, Written, in_order, sources
from bootcamp_cli.machine import report_path
from bootcamp_cli.settings_model import Settings
from bootcamp_kit.errors import UsageError
from bootcamp_kit.report import Severity, Verdict
from review.calibration import Likeness, brief_like, disguised
from review.planting import planted
from review.queue import Queue
from sandbox.service import Sandbox
from tests.review.conftest import a_submission

ROOT = Path(__file__).parents[2]


def test_a_checkout_has_known_items_and_a_setting_names_others(tmp_path: Path) -> None:
    assert known_place(Settings()) == ROOT / "tests"
    assert known_place(Settings(known_items=tmp_path)) == tmp_path
    with pytest.raises(UsageError, match="known_items"):
        known_place(Settings(known_items=tmp_path / "none"))


class Now(Random):
    """Chance that never waits, and makes broken items."""

    def random(self) -> float:
        return 0.0


def test_beside_what_the_compiler_made_comes_what_it_makes_and_beside_others_the_most_alike() -> None:
    found = sources(ROOT / "tests")
    assert sum(isinstance(item, ToCompile) for item in found) >= 30
    assert sum(isinstance(item, Written) for item in found) >= 30
    names = {item.name: item for item in found}
    coins = names["fewest_coins"]
    assert isinstance(coins, Written)
    folder, brief = disguised(coins.known, None, "openai:model")
    given = a_submission(author="openai:model")
    written = Likeness(folder, brief, given.candidate.lineage, given.report)
    compiled = replace(written, lineage=replace(written.lineage, author="compiler/1"))
    orders = [in_order(found, written, Random(seed)) for seed in range(3)]
    for seed, order in enumerate(orders):
        assert "fewest_coins" in [item.name for item in order[:5]], "its own code is the most alike"
        assert {item.name for item in order} == set(names)
        assert isinstance(in_order(found, compiled, Random(seed))[0], ToCompile)
    assert len({order[0].name for order in orders}) > 1


@pytest.mark.docker
def test_a_problem_is_compiled_as_if_it_had_been_handed_in_with_the_others(sandbox: Sandbox) -> None:
    given = a_submission(licence="MIT", family="contest_x")
    like = Likeness(given.candidate.folder, given.brief, given.candidate.lineage, given.report)
    problem = next(item for item in sources(ROOT / "tests") if item.name == "odd_digits")
    assert isinstance(problem, ToCompile)
    made = problem.made(sandbox, like)
    assert made is not None
    folder, brief = made
    assert (folder.card.family, folder.card.source.licence) == ("contest_x", "MIT")
    assert "modular" in folder.card.tags
    assert folder.card.author.startswith("compiler/")
    assert brief == brief_like(problem.brief, like)
    assert "solver.py" in folder.files
    assert next(planted(folder, Random(0))).folder.content_hash != folder.content_hash


@pytest.mark.docker
@pytest.mark.timeout(1_200)  # a dozen gates: minutes on a busy machine
def test_the_twentieth_item_is_a_known_one_and_looks_like_those_around_it(tmp_path: Path, sandbox: Sandbox) -> None:
    place = tmp_path / "known"
    shutil.copytree(ROOT / "tests" / "sound_tasks" / "signed_gap", place / "sound" / "signed_gap")
    settings = Settings(state=tmp_path, known_items=place)
    with Queue(tmp_path / "queue.sqlite") as queue:
        submit = submitting(settings, queue, sandbox, rng=Now(3))
        for number in range(18):
            submit(a_submission(task_id=f"task_{number}"))
        assert queue.counts() == (18, 0)
        submit(a_submission(task_id="task_18"))
        assert queue.counts() == (20, 1)
        submit(a_submission(task_id="task_19"))
        assert queue.counts() == (21, 1)
        silent = submitting(Settings(known_items=place, known_share=0.0), queue, sandbox)
        for number in range(20, 45):
            silent(a_submission(task_id=f"task_{number}"))
        assert queue.counts() == (46, 1)
        item = queue.item("signed_gap")
        truth = queue.truth(item.content_hash)
        assert truth is not None
        assert (item.author, item.family, item.lineage.run) == ("compiler/1", "arithmetic", "r1")
        assert truth.broken
        assert "bootcamp.py line" in truth.fault
        assert item.verdict is Verdict.PASS
        assert [one for one in item.report.findings if one.severity is Severity.MAJOR], "the gate saw it"
        assert report_path(settings, item.content_hash).exists(), "where those of others lie"
        assert queue.verify_log().sound
