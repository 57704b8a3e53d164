from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from bootcamp_kit.case import Score
from bootcamp_kit.report import CheckResult, Finding, Severity, Status, Witness
from review import difference
from review.dossier import dossier, file_name, index
from review.measures import verdict_strip
from review.pair import Pair
from review.pictures import Bar, MatrixRow, floor_bars, floor_picture, matrix_picture, matrix_rows
from review.trial import Trial
from tests.review.conftest import REVIEWER

EVIL = "\x1b[31m<script>alert(1)</script><img src=http://x/y onerror=a> &amp; \"'>\u202egnp\x00"
VOID = {"meta", "br", "img", "link", "hr", "input"}
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Reader(HTMLParser):
    """Tags, attributes and text of a page; fails on tags that do not close."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader


def measured(submission, **changes):
    found = Finding(
        "near_miss.accepted", Severity.MAJOR, "-8 is accepted", Witness("score", 2, 7, "<answer>-8</answer>")
    )
    place = Finding(
        "static.broad_except", Severity.MAJOR, "a broad except", Witness("source", file="bootcamp.py", line=1)
    )
    given = submission(findings=(found, place), **changes)
    checks = (
        CheckResult("oracle.scores_one", Status.PASS, figures={"wrong": 1, "n": 120, "false_reject_below": 0.02}),
        CheckResult("floor.constants", Status.PASS, figures={"best": "constant 0", "mean": 0.04, "n": 90}),
        CheckResult("floor.echo", Status.PASS, figures={"best": "echo field <d>", "mean": 0.95, "n": 30}),
        CheckResult("still_right.declared", Status.FAIL, figures={"rejected_of": {"markdown": [2, 30]}, "n": 30}),
        CheckResult(
            "near_miss.answers", Status.FAIL,
            figures={"accepted": 3, "n": 300, "classes": 9, "worst_class": "sign", "worst_class_accepted": 3,
                     "worst_class_n": 20},
        ),
    )  # fmt: skip
    return replace(given, report=replace(given.report, results=(*given.report.results, *checks)))


def test_a_page_holds_all_there_is_and_loads_nothing(queue, submission):
    before = queue.submit(submission(body="OLD = 1\n"))
    item = queue.item(queue.submit(measured(submission, parent=before, attempt=2)))
    pair = Pair(1, 0, "Three sit.", ("<answer>3</answer>", "<answer>4</answer>"), 1)
    seen = difference.before_of(queue, item, REVIEWER)
    assert seen is not None
    page = dossier(item, pairs=[pair], trials=[Trial(item.ref, 3, 5, prompt="Nine sit.")], before=seen)
    seen = read(page)
    for words in (
        "Seat rotation", item.ref, "Everyone moves one seat", "report: ✓ pass", "near_miss.accepted",
        "level 2, seed 7", "<answer>-8</answer>", f"bootcamp check {item.ref} --replay", "Three sit.", "Answer 1",
        "Answer 2 is right.", "Nine sit.", "BOOTCAMP = None", "a broad except", "-OLD = 1", "+BOOTCAMP = None",
        "submitted", "highest-scoring wrong answer", "risk because",
    ):  # fmt: skip
        assert words in seen.text
    assert seen.tags.count("svg") == 2
    assert "script" not in seen.tags
    assert not {"src", "srcset", "onload", "onclick"} & {name for name, _ in seen.attributes}
    assert ("http-equiv", "Content-Security-Policy") in seen.attributes
    assert "url(" not in page
    assert "@import" not in page


def test_nothing_that_anybody_wrote_becomes_markup(queue, submission):
    found = Finding("x.y", Severity.MAJOR, EVIL, Witness("score", 1, 2, EVIL, expected=EVIL, seen=EVIL), EVIL)
    marked = Finding("x.z", Severity.MAJOR, EVIL, Witness("source", file="bootcamp.py", line=1))
    given = submission(author=f"openai:{EVIL}", text=EVIL, body=f"# {EVIL}\n", findings=(found, marked))
    object.__setattr__(given.brief, "title", EVIL)
    item = replace(queue.item(queue.submit(given)), title=EVIL)
    shown = Trial(item.ref, 1, 0, EVIL, EVIL, EVIL, "", Score.wrong(EVIL), EVIL)
    pair = Pair(1, 0, EVIL, (EVIL, EVIL), 0)
    broken = replace(pair, problem=EVIL)
    bars = floor_picture([Bar(EVIL, EVIL, 0.5, 3)], 0.1) + matrix_picture([MatrixRow(EVIL, 1, 2, True)])
    for page in (dossier(item, trials=[shown], pairs=[pair, broken]), index([item]), bars):
        seen = read(page)
        assert not {"script", "img"} & set(seen.tags)
        assert not any(name.startswith("on") or "javascript" in value for name, value in seen.attributes)
        for char in "\x1b\x00\u202e":
            assert char not in page


def test_pictures_show_the_reports_figures(submission):
    report = measured(submission).report
    assert [(bar.kind, bar.mean) for bar in floor_bars(report)] == [("echo", 0.95), ("constants", 0.04)]
    assert matrix_rows(report) == [
        MatrixRow("oracle's answers", 119, 120, True),
        MatrixRow("markdown, rewritten", 28, 30, True),
        MatrixRow("near misses", 3, 300, False),
        MatrixRow("· worst: sign", 3, 20, False),
    ]
    assert floor_picture(floor_bars(report), 0.0).count('<rect class="bad"') == 1
    assert matrix_picture(matrix_rows(report)).count('<rect class="bad"') == 4
    assert read(floor_picture([], 0.25)).tags[0] == "svg"


def test_the_picture_of_blind_answers_draws_the_limit_that_the_finding_names(submission):
    bars = [Bar("echo", "echo field", 0.24, 60, 0.16), Bar("constants", "constant 7", 0.16, 20, 0.04)]
    drawn = floor_picture(bars, 0.0)
    assert "a finding where surely above 0.15 (95 %), refused from 0.9<" in drawn
    assert "fails at" not in drawn
    assert drawn.count('<rect class="warn"') == 1, "the one that the gate finds a fault in"
    line = 118 + (360 - 118 - 60) * 0.15
    assert f'<line class="limit" x1="{line:.1f}"' in drawn
    assert "above 0.40 (95 %), refused from 0.9; declared chance 0.25<" in floor_picture(bars, 0.25)


def test_a_finding_that_refuses_nothing_is_not_a_failure_beside_a_pass(queue, submission):
    witness = Witness("score", 1, 0, "<answer>7</answer>", expected="at most 0.15 on average")
    found = Finding("floor.above_declared", Severity.MAJOR, "7 scores 0.24 on average", witness)
    checks = (
        CheckResult("floor.echo", Status.FAIL, findings=(found,), figures={"best": "7", "mean": 0.24, "n": 60}),
        CheckResult("oracle.scores_one", Status.PASS, figures={"wrong": 0, "n": 120}),
    )
    given = submission()
    item = queue.item(queue.submit(replace(given, report=replace(given.report, results=checks))))
    assert item.report.verdict.value == "pass"
    strip = {measure.label: (measure.status, measure.text) for measure in verdict_strip(item.report)}
    assert strip["other empty responses"][0] == "major"
    assert strip["all checks (gate)"] == ("pass", "1 pass, 1 major (refuses nothing)")
    page = read(dossier(item)).text
    assert "! major" in page
    assert "✗" not in page


def test_a_card_that_cannot_be_read_still_gives_a_page(queue, submission):
    item = queue.item(queue.submit(submission(verdict="fail", extra={"card.toml": b"id = ["})))
    assert "the card cannot be read" in read(dossier(item)).text


def test_the_index_leads_to_every_page(queue, submission):
    queue.submit(submission())
    queue.submit(submission(task_id="other_task"))
    links = [value for name, value in read(index(queue.items())).attributes if name == "href"]
    assert links == [file_name(entry) for entry in queue.items()]
    assert "the queue is empty" in read(index([])).text


SAY = "document.documentElement.scrollWidth + ' of ' + innerWidth"
MEASURE = f"<script>document.title = {SAY}; parent.postMessage({SAY}, '*')</script></body>"
FRAME = """<title>nothing heard</title><script>onmessage = event => {{ document.title = event.data }}</script>
<iframe src="measured.html" style="border: 0; width: {width}px; height: 900px"></iframe>"""


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium (Debian: apt-get install chromium)")
def test_a_real_browser_shows_it_at_three_sizes_without_sideways_scrolling(queue, submission, tmp_path):
    item = queue.item(queue.submit(measured(submission, body="VERY_LONG = " + "x" * 400 + "\n", text="wide " * 400)))
    page = dossier(item, pairs=[Pair(1, 0, "y" * 900, ("<answer>3</answer>", "<answer>4</answer>"), 1)])
    (tmp_path / "page.html").write_text(page)
    scripted = page.replace("</body>", MEASURE)
    (tmp_path / "guarded.html").write_text(scripted)
    (tmp_path / "measured.html").write_text(re.sub(r"<meta http-equiv=[^>]*>", "", scripted))
    assert "Seat rotation" in title_of(browse(tmp_path, 390, "--dump-dom", str(tmp_path / "guarded.html")))
    for width in (390, 820, 1440):
        frame = tmp_path / "frame.html"
        frame.write_text(FRAME.format(width=width))  # a window narrower than 500 is not laid out as such
        told = title_of(browse(tmp_path, width + 100, "--virtual-time-budget=2000", "--dump-dom", str(frame)))
        assert told == f"{width} of {width}"
    shot = tmp_path / "shot.png"
    browse(tmp_path, 820, f"--screenshot={shot}", str(tmp_path / "page.html"))
    assert shot.stat().st_size > 20_000, "a picture of something, not of one flat colour"


def title_of(dom: str) -> str:
    return dom.split("<title>")[1].split("</title>")[0]


def browse(home: Path, width: int, *arguments: str) -> str:
    flags = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars")
    assert CHROMIUM is not None
    done = subprocess.run(
        [CHROMIUM, *flags, f"--user-data-dir={home / 'profile'}", f"--window-size={width},1200", *arguments],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    return done.stdout
