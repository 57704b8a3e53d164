"""One self-contained page: no script, nothing loaded, untrusted text escaped, the same bytes for the same run."""

import random
import re
from html.parser import HTMLParser

import pytest

from bootcamp_kit.errors import UsageError
from evaluation.compare import compare
from evaluation.page import comparison_page, run_page
from evaluation.plan import CaseRef, EvaluationPlan, PlannedTask
from evaluation.store import IndexLine, Rollout
from evaluation.summary import summarise


def line(task: str, level: int, seed: int, value: float | None, *, sample: int = 0, key: str = "") -> IndexLine:
    outcome = "" if value is None else {1.0: "correct", 0.0: "wrong"}.get(value, "partial")
    return IndexLine(
        id=f"{task}/{level}/{seed}/{sample}",
        task_id=task,
        level=level,
        seed=seed,
        sample=sample,
        key=key or f"{task}{level}{seed}",
        prompt_hash=f"p{task}{level}{seed}",
        value=value,
        outcome=outcome,
        unscored="verifier-crash" if value is None else "",
        stop="end",
        input_tokens=10,
        output_tokens=5,
        latency_s=0.5,
        offset=0,
        length=0,
    )


def plan(tasks: int, seeds: int) -> EvaluationPlan:
    cases = tuple(CaseRef(level, seed) for level in (1, 2, 3) for seed in range(seeds))
    return EvaluationPlan(
        tuple(PlannedTask(f"task_{n}", "0" * 64, f"family_{n % 2}", cases) for n in range(tasks)),
        "local:<b>&model",
        weights={"family_0": 3.0, "family_1": 1.0},
    )


def lines_of(found: EvaluationPlan, shift: int = 0) -> list[IndexLine]:
    rng = random.Random(shift)
    return [
        line(task.task_id, ref.level, ref.seed, rng.choice([0.0, 1.0, 0.5, 1.0, None]))
        for task in found.tasks
        for ref in task.cases
    ]


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def check_page(text: str) -> None:
    reader = Reader()
    reader.feed(text)
    assert not reader.open and not reader.seen & {"script", "link", "img", "iframe"}
    assert not re.search(r"url\((?!#)", text)
    assert not re.search(r'(href|src)="(?!#)(?!http://www.w3.org)', text)
    assert "<b>&model" not in text


@pytest.mark.parametrize("tasks", [1, 3, 12])
def test_a_page_is_self_contained_and_reproducible(tasks: int) -> None:
    found = plan(tasks, 10)
    summary = summarise(found, lines_of(found))
    hostile = Rollout(
        "task_0", "0" * 64, 1, 0, 0, "k", "p", "m", "<script>alert(1)</script>\ud800", "end", None, 0.0, "wrong",
        "<img src=x>", "", "", 1, 1, 0.1, "2026-01-01T00:00:00+00:00",
    )  # fmt: skip
    text = run_page(summary, [(hostile, "<u>" * 1000)])
    check_page(text)
    assert text == run_page(summary, [(hostile, "<u>" * 1000)])
    assert len(text) < 400_000


def test_an_empty_and_an_unfinished_run_have_pages_too() -> None:
    found = plan(2, 4)
    for lines in ([], lines_of(found)[:5], [line("task_0", 1, 0, None)]):
        summary = summarise(found, lines)
        check_page(run_page(summary, []))
        assert summary.total.missing == found.total - len(lines)


def test_summaries_add_up_and_weigh_families() -> None:
    found = plan(4, 10)
    summary = summarise(found, lines_of(found))
    for rows in (summary.tasks, summary.levels, summary.task_levels, summary.families):
        assert sum(row.scored for row in rows) == summary.total.scored
        assert sum(row.planned for row in rows) == found.total
    even, odd = (row.score.value for row in summary.families)
    assert summary.weighted == pytest.approx((3 * even + odd) / 4)
    assert summary.total.score.method in (
        "cluster-robust, 4 clusters (tasks)",
        f"cluster-robust, {summary.total.cases} clusters (cases)",
    )
    assert summary.tasks[0].score.method == f"cluster-robust, {summary.tasks[0].cases} clusters (cases)"


def test_equal_payloads_are_one_cluster() -> None:
    found = plan(1, 10)
    lines = [line("task_0", 1, seed, 1.0, key="same") for seed in range(5)] + [line("task_0", 1, 6, 0.0)]
    assert summarise(found, lines).total.cases == 2


def test_a_comparison_pairs_cases_and_counts_what_it_leaves_out() -> None:
    found = plan(3, 10)
    a, b = lines_of(found), lines_of(found, shift=1)
    b = [item for item in b if item.seed != 9]
    b[0] = line("task_0", 1, 0, 1.0, key="other")
    result = compare(a, b)
    assert result.changed == 1 and result.only_in_a > 0
    scored = {(x.task_id, x.level, x.seed) for x in a if x.value is not None} & {
        (x.task_id, x.level, x.seed) for x in b if x.value is not None
    }
    assert result.total.cases == len(scored) - 1
    assert result.total.difference.value == pytest.approx(result.total.mean_b - result.total.mean_a)
    same = compare(a, a)
    assert same.total.difference.value == 0 and same.test.p_value == 1.0
    check_page(comparison_page("<b>&model", "b", result))
    with pytest.raises(UsageError, match="no case"):
        compare(a, [line("else", 1, 1, 1.0)])


def test_tables_fit_or_scroll_in_their_own_box() -> None:
    page = run_page(summarise(plan(1, 1), []), [])
    assert (
        "td:first-child { white-space: normal; overflow-wrap: anywhere" in page and ".wide { overflow-x: auto" in page
    )
    assert page.count("<table") == page.count('<div class="wide"><table')
