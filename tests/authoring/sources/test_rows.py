"""Rows of data sets: CodeContests and question/answer, as lists of objects and as columns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from authoring.sources import read_briefs
from bootcamp_kit.brief import Brief, Sample

DESCRIPTION = "Add up.\n\nInput\n\nn (1 ≤ n ≤ 2·105)\n\nOutput\n\nOne number.\n\nExample\n\nInput\n\n1\n\nOutput\n\n1\n"
CONTEST: dict[str, Any] = {
    "name": "1_A. Adding",
    "description": DESCRIPTION,
    "source": 2,
    "cf_contest_id": 1,
    "cf_index": "A",
    "cf_tags": ["math"],
    "time_limit": {"seconds": 1, "nanos": 500000000},
    "public_tests": {"input": ["1\r\n"], "output": ["1\r\n"]},
    "private_tests": {"input": ["2\n"], "output": ["2\n"]},
    "generated_tests": {"input": [], "output": []},
    "solutions": {"language": [2, 3, 3], "solution": ["int main(){}", "print(int(input()))", "n=input()\nprint(n)"]},
    "incorrect_solutions": {"language": [3], "solution": ["print(0)"]},
}
QUESTION: dict[str, Any] = {
    "question": "Ada has 3 frogs and buys 4. How many has she?",
    "answer": "3 + 4 = 7\n#### 7",
    "choices": {"text": ["7", "12"], "label": ["A", "B"]},
}


def rows(path: Path, *items: Any) -> Path:
    path.write_text("".join(json.dumps(item) + "\n" for item in items))
    return path


def only(path: Path) -> Brief:
    found = read_briefs(path)
    assert found.problems == []
    (brief,) = found.briefs
    return brief


def test_a_contest_row_keeps_tests_solutions_and_wrong_ones(tmp_path: Path) -> None:
    brief = only(rows(tmp_path / "a.jsonl", CONTEST))
    assert (brief.id, brief.family, brief.source.name) == ("cc_1_a_adding", "codecontests", "Codeforces: 1_A. Adding")
    assert brief.source.url == "https://codeforces.com/problemset/problem/1/A"
    assert (brief.source.licence, brief.tags, brief.seconds) == ("unknown", ("contest", "math"), 1.5)
    assert (brief.samples, brief.tests) == ((Sample("1\n", "1\n"),), (Sample("2\n", "2\n"),))
    assert brief.solution is not None
    assert (brief.solution.language, brief.solution.code) == ("python3", "n=input()\nprint(n)")
    assert [item.language for item in brief.accepted] == ["python3", "cpp"]
    assert [item.code for item in brief.wrong] == ["print(0)"]
    assert "2·10^5" in brief.text
    assert "Example" not in brief.text


def test_lists_of_objects_and_words_for_languages_say_the_same(tmp_path: Path) -> None:
    listed = {
        **CONTEST,
        "public_tests": [{"input": "1\n", "output": "1\n"}],
        "solutions": [{"language": "PYTHON3", "solution": "print(int(input()))"}],
        "incorrect_solutions": None,
        "time_limit": 2,
    }
    brief = only(rows(tmp_path / "a.jsonl", listed))
    assert brief.solution is not None
    assert (brief.solution.language, brief.wrong, brief.seconds) == ("python3", (), 2.0)


def test_a_list_in_one_json_file_is_read_row_by_row(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps([CONTEST, {"name": "x"}, {**QUESTION, "id": 5}]))
    found = read_briefs(tmp_path / "a.json")
    assert [brief.id for brief in found.briefs] == ["cc_1_a_adding", "qa_5"]
    assert found.problems[0].path.endswith("a.json:2")
    (tmp_path / "folder").mkdir()
    rows(tmp_path / "folder" / "a.jsonl", CONTEST)
    (tmp_path / "folder" / "package.json").write_text('{"name": "something else"}')
    assert only(tmp_path / "folder").id == "cc_1_a_adding"


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"name": ""}, "'name'"),
        ({"description": 7}, "'description'"),
        ({"public_tests": {"input": ["1"], "output": []}}, "'public_tests'"),
        ({"public_tests": [{"input": 1, "output": "1"}]}, "'public_tests'"),
        ({"solutions": [{"language": 3, "solution": None}]}, "'solutions'"),
        ({"solutions": "print"}, "'solutions'"),
        ({"licence": 3}, "'licence'"),
        ({"licence": "free, I think!"}, "SPDX"),
        ({"description": "a\0b"}, "NUL"),
        ({"description": " \n"}, "empty"),
    ],
)
def test_a_bad_row_is_named_and_costs_no_other(tmp_path: Path, change: dict[str, Any], found: str) -> None:
    read = read_briefs(rows(tmp_path / "a.jsonl", {**CONTEST, **change}, CONTEST))
    assert len(read.briefs) == 1
    assert found in str(read.problems[0].error)
    assert ":1" in read.problems[0].path


def test_what_is_more_than_enough_is_left_out_and_told_of(tmp_path: Path) -> None:
    many = {
        "solutions": {"language": [3] * 50, "solution": [f"print({number})" for number in range(50)]},
        "private_tests": {"input": ["1\n"] * 80 + ["x" * 30_000], "output": ["1\n"] * 81},
    }
    brief = only(rows(tmp_path / "a.jsonl", {**CONTEST, **many}))
    assert (len(brief.accepted), len(brief.tests)) == (5, 50)
    assert any("of 49 further solutions left out, too many or too long: 44" in note for note in brief.notes)
    assert any("of 81 tests left out, too many or too long: 31" in note for note in brief.notes)


def test_a_question_is_a_worked_example_and_its_other_choices_are_wrong(tmp_path: Path) -> None:
    (tmp_path / "source.toml").write_text('licence = "MIT"\nfamily = "word_problems"\nname = "Frogs"\n')
    brief = only(rows(tmp_path / "a.jsonl", QUESTION))
    assert (brief.family, brief.source.licence, brief.source.name) == ("word_problems", "MIT", "Frogs")
    assert brief.samples == (Sample("Ada has 3 frogs and buys 4. How many has she?\n", "7\n"),)
    assert [(item.language, item.code) for item in brief.wrong] == [("answer", "12")]
    assert brief.text.endswith("## Choices\n\n- 7\n- 12\n")
    assert brief.id.startswith("qa_")


@pytest.mark.parametrize(
    "change", [{"answer": ""}, {"question": ["x"]}, {"choices": [[1]]}, {"answer": True}, {"wrong_answers": "7"}]
)
def test_a_bad_question_is_named(tmp_path: Path, change: dict[str, Any]) -> None:
    read = read_briefs(rows(tmp_path / "a.jsonl", {**QUESTION, **change}))
    assert read.briefs == []
    assert len(read.problems) == 1


def test_our_own_rows_may_hold_wrong_solutions_and_tests(tmp_path: Path) -> None:
    own = {"id": "adding", "family": "sums", "title": "Adding", "licence": "CC0-1.0", "text": "Add."}
    own |= {"wrong": [{"language": "py", "code": "print(0)"}], "tests": [{"input": "1", "output": "1"}]}
    own |= {"source": {"attribution": "Ada Frog"}}
    brief = only(rows(tmp_path / "a.jsonl", own))
    assert (brief.wrong[0].language, brief.tests, brief.source.attribution) == (
        "python3",
        (Sample("1", "1"),),
        "Ada Frog",
    )
