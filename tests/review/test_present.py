from __future__ import annotations

import html
import io
import json
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console

from bootcamp_kit.case import Score
from bootcamp_kit.report import CheckResult, Finding, Severity, Status, Witness
from review.as_json import entry_to_json, item_to_json
from review.case_page import trial_page
from review.dossier import dossier
from review.measures import NOT_MEASURED, difficulty_rows, verdict_strip
from review.present import first_page, item_page, list_table, place
from review.trial import Trial
from review.visible import one_line, visible
from tests.review.conftest import a_finding, a_submission

EVIL = "\x1b]0;owned\x07\x1b[2J[red]x[/red] :smile: \u202egnp\u2066 \x9b31m \x00"
MEASURED = (
    CheckResult(
        "oracle.scores_one",
        Status.PASS,
        figures={"wrong": 0, "n": 60, "false_reject_below": 0.0487, "confidence": 0.95},
    ),
    CheckResult("floor.constants", Status.PASS, figures={"best": "constant 7", "mean": 0.031, "n": 200}),
    CheckResult("floor.echo", Status.PASS, figures={"best": "echo", "mean": 0.0, "n": 200}),
    CheckResult("floor.rules", Status.PASS, figures={"best": "rule max", "mean": 0.5, "n": 200}),
    CheckResult(
        "near_miss.answers",
        Status.PASS,
        figures={"accepted": 0, "n": 300, "classes": 9, "undecided": 2, "worst_class_false_accept_below": 0.0999},
    ),
    CheckResult(
        "still_right.declared",
        Status.FAIL,
        figures={
            "rejected_of": {"whitespace": [0, 30], "markdown": [1, 30], "reasoning": [0, 30]},
            "n": 90,
            "worst_class_false_reject_below": 0.1492,
        },
    ),
    CheckResult("floor.options", Status.SKIP, reason="no choices"),
    CheckResult("determinism.payload", Status.PASS, figures={"different": 0, "n": 72}),
    CheckResult("determinism.score", Status.ERROR, reason="the engine went away"),
    CheckResult("generator.distinct", Status.PASS, figures={"levels": {"1": {"distinct": 20, "n": 24}}}),
    CheckResult("generator.answers", Status.PASS, figures={"levels": {"1": {"top_share": 0.25, "n": 24}}}),
    CheckResult("generator.size", Status.PASS, figures={"prompt_characters": {"1": 1234}}),
)


def drawn(renderable: object, *, width: int = 100, colour: bool = False) -> str:
    out = io.StringIO()
    Console(file=out, width=width, force_terminal=colour, color_system="standard" if colour else None).print(renderable)
    return out.getvalue()


def test_the_strip_says_what_was_measured_and_what_was_not(submission):
    report = replace(submission().report, results=MEASURED)
    strip = {measure.label: (measure.status, measure.text) for measure in verdict_strip(report)}
    assert strip == {
        "oracle scores 1": ("pass", "60 of 60 cases; rate below 4.9% (95 %)"),
        "one constant answer": ("pass", "constant 7 scores 0.03 on average (n = 200)"),
        "other empty responses": ("pass", "best kind: echo, echo scores 0.00 on average (n = 200)"),
        "near misses accepted": (
            "pass",
            "0 of 300 in 9 classes, 2 undecided; rate below 10.0% in the worst class (95 %)",
        ),
        "hedged answers accepted": ("", NOT_MEASURED),
        "right rewrites rejected": (
            "fail",
            "1 of 90 in 3 classes; rate below 14.9% in the worst class (95 %)",
        ),
        "same in two containers": ("error", "72 of 72; the engine went away"),
        "different cases": ("pass", "level 1: 20 of 24"),
        "its own examples hold": ("", NOT_MEASURED),
        "all checks (gate)": ("inconclusive", "9 pass, 1 fail, 1 skip, 1 error"),
    }


def test_the_difficulty_table_joins_axes_and_figures(submission):
    given = submission()
    rows = difficulty_rows(given.candidate.folder.card, replace(given.report, results=MEASURED))
    assert [(row.level, dict(row.params)) for row in rows] == [
        (1, {"length": 3}),
        (2, {"length": 5}),
        (3, {"length": 8}),
    ]
    assert (rows[0].distinct, rows[0].top_answer, rows[0].prompt_characters) == ("20 of 24", "25% of 24", "1,234")
    assert (rows[2].distinct, rows[2].top_answer, rows[2].prompt_characters) == ("", "", "")


@pytest.mark.parametrize("width", [40, 80, 200])
def test_a_page_shows_all_that_a_reviewer_needs(queue, submission, width):
    found = Finding(
        "floor.constant",
        Severity.MAJOR,
        "7 scores 0.4",
        Witness(kind="score", level=2, seed=5, response="7"),
        "widen it",
    )
    item = queue.item(queue.submit(submission(findings=(found,), extra={"helper.py": b"A = 1\n"})))
    shown = Trial(
        item.ref, 1, 0, prompt="Three sit.", response="<answer>3</answer>", parsed=3, score=Score.wrong("not 3")
    )
    text = drawn(item_page(item, trials=[shown], code=True), width=width)
    joined = " ".join(text.split())
    for words in (
        "Seat rotation",
        "Everyone moves one seat to the left.",
        "oracle scores 1",
        "floor.constant",
        "level 2, seed 5",
        "response: 7",
        "hint: widen it",
        f"bootcamp check {item.ref} --replay {found.id}",
        "Three sit.",
        "outcome: wrong",
        "reason: not 3",
        "helper.py",
        "6 bytes",
        "A = 1",
        "submitted",
    ):
        assert words in joined or words.replace(" ", "") in joined.replace(" ", "")
    assert max(map(len, text.split("\n"))) <= width


def test_the_list_fits_a_narrow_terminal_and_says_when_it_is_empty(queue, submission):
    assert "the queue is empty" in drawn(list_table([]))
    queue.submit(submission())
    text = drawn(list_table(queue.items()), width=80)
    assert queue.items()[0].ref in text
    assert max(map(len, text.split("\n"))) <= 80


@pytest.mark.parametrize("colour", [True, False])
def test_nothing_that_a_candidate_wrote_reaches_the_terminal_as_a_command(queue, submission, colour):
    found = Finding("x.y", Severity.MAJOR, EVIL, Witness("score", 1, 2, EVIL, expected=EVIL, seen=EVIL), EVIL)
    given = submission(author=f"openai:{EVIL}", text=EVIL, body=f"# {EVIL}\n", findings=(found,))
    object.__setattr__(given.brief, "title", EVIL)
    item = queue.item(queue.submit(given))
    item = replace(item, title=EVIL)
    shown = Trial(item.ref, 1, 0, EVIL, EVIL, EVIL, "", Score.wrong(EVIL), EVIL)
    for renderable in (item_page(item, trials=[shown], code=True), list_table([item]), trial_page(shown)):
        text = drawn(renderable, width=300, colour=colour)
        for char in "\x07\x00\x9b\u202e\u2066":
            assert char not in text
        assert "\x1b]" not in text
        assert "\x1b[2J" not in text
        assert "[red]x[/red]" in text
        assert ":smile:" in text
        if not colour:
            assert "\x1b" not in text


def test_json_forms_are_plain_and_whole(queue, submission):
    found = Finding(
        "floor.constant", Severity.MAJOR, "7 scores 0.4", Witness(kind="score", level=2, seed=5, response="7")
    )
    item = queue.item(queue.submit(submission(licence="unknown", findings=(found,))))
    raw = json.loads(json.dumps(item_to_json(item)))
    assert raw["ref"] == item.ref
    assert raw["state"] == "queued"
    assert raw["report"]["hash"] == item.report.hash
    assert raw["findings_list"][0]["reproduce"].endswith(found.id)
    assert raw["files"]["oracle.py"] == 14
    assert raw["intact"] is True
    assert raw["brief"]["text"] == item.brief.text
    assert "licence is unknown" in raw["warnings"][0]
    assert json.loads(json.dumps(entry_to_json(queue.items()[0])))["verdict"] == "pass"


def test_a_changed_item_says_so_at_the_top(queue, queue_path, submission):
    import sqlite3

    ref = queue.submit(submission())
    with sqlite3.connect(queue_path) as raw:
        raw.execute("UPDATE review_files SET data = CAST('x' AS BLOB) WHERE path = 'oracle.py'")
    raw.close()
    assert "CHANGED IN THE QUEUE" in drawn(item_page(queue.item(ref)))


def test_visible_keeps_text_and_escapes_commands():
    assert visible("plain") == "plain"
    assert visible("Grüße, 李 → ½\n\tx") == "Grüße, 李 → ½\n\tx"
    assert visible("a\x1b[31mb\r\u202e\ud800") == "a\\x1b[31mb\\r\\u202e\\ud800"
    assert visible("abcdef", at_most=4) == "abcd … (2 more characters)"
    assert one_line("a\n\n b\x07") == "a b\\x07"
    assert one_line("x" * 300, at_most=10) == "x" * 9 + "…"


def test_opponents_have_a_line_where_they_spoke(submission) -> None:
    report = submission().report
    assert not [line for line in verdict_strip(report) if "opponents" in line.label]
    voices = {"second": "credible", "attacks": 6, "believed": 1, "blind": 2, "blind_right": 2}
    spoke = replace(report, results=(*report.results, CheckResult("oppose.voices", Status.PASS, figures=voices)))
    (line,) = [line for line in verdict_strip(spoke) if "opponents" in line.label]
    assert line.text == "second judge credible, 1 of 6 attacks hold, 2 of 2 blind answers right"


def test_whom_to_name_and_what_the_reader_did_stand_in_every_form(queue: Any) -> None:
    made = a_submission()
    source = replace(made.brief.source, attribution="Ann O'Nym", url="https://example.org/p")
    told = replace(made, brief=replace(made.brief, source=source, notes=("10^5 was flattened to 105",)))
    item = queue.item(queue.submit(told))
    forms = [drawn(item_page(item)), drawn(first_page(item)), json.dumps(item_to_json(item))]
    for text in (*forms, html.unescape(dossier(item))):
        assert "Ann O'Nym" in text
        assert "10^5 was flattened to 105" in text
    assert item.origin == "Seats, by Ann O'Nym, licence CC0-1.0, https://example.org/p"


def test_a_value_that_is_asked_for_alone_is_said_on_the_first_page(queue, submission):
    plain = submission()
    card = plain.candidate.folder.files["card.toml"].replace(b"[answer]", b'tags = ["value-alone"]\n\n[answer]', 1)
    told = submission(extra={"card.toml": card})
    assert "a value alone" not in drawn(first_page(queue.item(queue.submit(plain))))
    assert "a value alone" in drawn(first_page(queue.item(queue.submit(told))))


def test_a_witness_names_no_line_and_no_case_that_there_is_not():
    of = {
        "score, examples.toml, level 2, seed 7": Witness("score", 2, 7, "7", file="examples.toml"),
        "source, bootcamp.py:3": Witness("source", file="bootcamp.py", line=3),
        "score, level 1, seed 0": Witness("score", 1, 0, "7"),
        "load": Witness("load"),
    }
    assert [place("x.y", witness) for witness in of.values()] == list(of)
    one = "score of one of the responses, not their average, level 1, seed 0"
    assert place("floor.above_declared", Witness("score", 1, 0, "7")) == one


def test_one_of_a_thing_is_told_in_the_singular(queue, submission):
    item = queue.item(queue.submit(submission(findings=(a_finding(),))))
    changed = {"accepted": 0, "n": 1, "classes": 1}
    report = replace(item.report, results=(CheckResult("near_miss.answers", Status.PASS, figures=changed),))
    assert {measure.text for measure in verdict_strip(report)} >= {"0 of 1 in 1 class"}
    assert "1 finding" in drawn(list_table([item]), width=120)
    assert "1 findings" not in drawn(list_table([item]), width=120)
