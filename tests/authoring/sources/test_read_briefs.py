"""Every format, every bad input of issue 2, and that one bad brief costs no other."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from authoring.sources import read_briefs
from bootcamp_kit.errors import UsageError

HEAD = """+++
id = "half_steps"
family = "contest_numbers"
title = "Half steps"
licence = "CC0-1.0"
tags = ["numbers"]

[source]
name = "written for a test"
url = "https://example.org/half"
+++
"""
BODY = """
Halve the number until it is odd.

## Input

The only line contains one integer n (1 ≤ n ≤ 1000).

## Output

Print the odd number.

## Samples

### Sample 1

```input
12
```

```output
3
```

Because 12, 6, 3.

### Sample 2

```input
7
```

```output
7
```

## Solution

```python
n = int(input())
while n % 2 == 0:
    n //= 2
print(n)
```

## Notes

Nothing else.
"""


def write(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def row(**changes: object) -> str:
    whole: dict[str, object] = {
        "id": "half_steps",
        "family": "contest_numbers",
        "title": "Half steps",
        "licence": "CC0-1.0",
        "text": "Halve it.",
        "samples": [{"input": "12\r\n", "output": "3\r\n"}],
        "solution": {"language": "Python", "code": "print(3)\n"},
    }
    return json.dumps({key: value for key, value in {**whole, **changes}.items() if value is not None})


def test_a_markdown_file_gives_statement_samples_and_solution_apart(tmp_path: Path) -> None:
    briefs, problems = read_briefs(write(tmp_path / "a.md", HEAD + BODY))
    assert not problems
    brief = briefs[0]
    assert (brief.id, brief.family, brief.title, brief.tags) == (
        "half_steps",
        "contest_numbers",
        "Half steps",
        ("numbers",),
    )
    assert (brief.source.licence, brief.source.name) == ("CC0-1.0", "written for a test")
    assert [(sample.input, sample.output) for sample in brief.samples] == [("12\n", "3\n"), ("7\n", "7\n")]
    assert brief.solution is not None and brief.solution.language == "python3"
    assert brief.solution.code.startswith("n = int(input())\nwhile")
    assert "## Input" in brief.text and "## Notes" in brief.text
    assert "Sample" not in brief.text and "```" not in brief.text


def test_sections_named_examples_or_solution_without_marked_blocks_stay_in_the_statement(tmp_path: Path) -> None:
    text = HEAD + "\nRules.\n\n## Examples\n\n```\nabc\n```\n\n## Solution\n\nEach puzzle has one solution.\n"
    brief = read_briefs(write(tmp_path / "a.md", text)).briefs[0]
    assert brief.samples == () and brief.solution is None
    assert "abc" in brief.text and "Each puzzle has one solution." in brief.text


def test_a_folder_gives_the_same_brief_as_the_file(tmp_path: Path) -> None:
    statement = BODY[: BODY.index("## Samples")] + BODY[BODY.index("## Notes") :]
    root = tmp_path / "half"
    write(root / "brief.md", HEAD + statement)
    write(root / "solution.py", BODY.split("```python\n")[1].split("```")[0])
    for name, text in (("2.in", "12\n"), ("2.out", "3\n"), ("10.in", "7\n"), ("10.out", "7\n")):
        write(root / "samples" / name, text)
    from_folder = read_briefs(root).briefs[0]
    from_file = read_briefs(write(tmp_path / "a.md", HEAD + BODY)).briefs[0]
    assert from_folder == from_file
    assert from_folder.hash == from_file.hash


def test_json_lines_give_one_brief_a_line_and_keep_line_numbers(tmp_path: Path) -> None:
    lines = [row(), "", row(id="other_one"), "{broken", row(id="third_one", licence=None)]
    briefs, problems = read_briefs(write(tmp_path / "all.jsonl", "\n".join(lines)))
    assert [brief.id for brief in briefs] == ["half_steps", "other_one"]
    assert briefs[0].samples[0].input == "12\n"
    assert briefs[0].solution is not None and briefs[0].solution.language == "python3"
    assert [problem.path.rpartition(":")[2] for problem in problems] == ["4", "5"]
    assert "licence" in problems[1].error.asked


def test_one_bad_brief_in_a_set_costs_no_other(tmp_path: Path) -> None:
    write(tmp_path / "README.md", "about this folder")
    write(tmp_path / "a.md", HEAD + BODY)
    write(tmp_path / "b.md", "")
    write(tmp_path / "c.jsonl", row(id="from_lines") + "\n" + row(id="half_steps"))
    write(tmp_path / "d" / "brief.md", HEAD.replace("half_steps", "from_folder") + "Rules.")
    write(tmp_path / "e" / "notes.txt", "no brief here")
    briefs, problems = read_briefs(tmp_path)
    assert [brief.id for brief in briefs] == ["half_steps", "from_lines", "from_folder"]
    found = {Path(problem.path).name: str(problem.error) for problem in problems}
    assert set(found) == {"b.md", "c.jsonl:2", "e"}
    assert "empty" in found["b.md"] and "taken by" in found["c.jsonl:2"] and "a.md" in found["c.jsonl:2"]


BAD_MARKDOWN = [
    ("an empty file", "", "empty"),
    ("no front matter", "Just rules.", "no front matter"),
    ("front matter never closed", HEAD[:-5] + BODY.replace("+++", ""), "never closed"),
    ("broken TOML", HEAD.replace('title = "Half steps"', "title = Half steps") + BODY, "line 4"),
    ("no licence", HEAD.replace('licence = "CC0-1.0"\n', "") + BODY, "key 'licence': missing"),
    ("an empty licence", HEAD.replace("CC0-1.0", "") + BODY, "key 'licence'"),
    ("a licence that is no expression", HEAD.replace("CC0-1.0", "see; website!") + BODY, "SPDX"),
    ("an unknown key", HEAD.replace("tags", "tagz") + BODY, "key 'tagz': unknown"),
    ("an unknown source key", HEAD.replace("url =", "link =") + BODY, "key 'source.link': unknown"),
    ("a bad id", HEAD.replace("half_steps", "Half Steps") + BODY, "brief key id"),
    ("an id that is a path", HEAD.replace("half_steps", "../../etc") + BODY, "brief key id"),
    ("a title that is a number", HEAD.replace('"Half steps"', "7") + BODY, "key 'title'"),
    ("tags that are no list", HEAD.replace('["numbers"]', '"numbers"') + BODY, "key 'tags'"),
    ("no text", HEAD, "text is empty"),
    ("a sample without output", HEAD + BODY.replace("```output\n7\n```", ""), "a sample without output"),
    ("an output before its input", HEAD + BODY.replace("```input\n12", "```output\n12"), "out of turn"),
    ("two solutions", HEAD + BODY + "\n## Solution\n\n```python\nprint()\n```\n", "2 solutions"),
    ("not UTF-8", (HEAD + BODY).encode() + b"\n\xff\xfe", "is not UTF-8"),
    ("a NUL", HEAD + BODY + "\0", "NUL"),
]


@pytest.mark.parametrize(
    ("text", "message"), [case[1:] for case in BAD_MARKDOWN], ids=[case[0] for case in BAD_MARKDOWN]
)
def test_a_bad_markdown_brief_says_file_and_fault(tmp_path: Path, text: str | bytes, message: str) -> None:
    briefs, problems = read_briefs(write(tmp_path / "bad.md", text))
    assert not briefs
    assert "bad.md" in str(problems[0].error) and message in str(problems[0].error)
    assert problems[0].error.do and problems[0].error.exit_code == 2


BAD_ROWS = [
    ("not an object", "[1]", "not a JSON object"),
    ("a repeated key", '{"id": "a", "id": "b"}', "a repeated key"),
    ("an unknown key", row(level=3), "key 'level': unknown"),
    ("samples that are no list", row(samples={}), "key 'samples': not a list"),
    ("a sample without output", row(samples=[{"input": "1"}]), "key 'samples'"),
    ("a solution without code", row(solution={"language": "python"}), "key 'solution'"),
    ("a text that is a list", row(text=["a"]), "key 'text'"),
    ("no text", row(text=None), "text is empty"),
    ("a lone surrogate", row(text="a").replace('"a"', r'"\ud800"'), "not JSON"),
    ("a NUL in the code", row(solution={"language": "python", "code": "\0"}), "NUL"),
]


@pytest.mark.parametrize(("line", "message"), [case[1:] for case in BAD_ROWS], ids=[case[0] for case in BAD_ROWS])
def test_a_bad_line_says_line_and_fault(tmp_path: Path, line: str, message: str) -> None:
    briefs, problems = read_briefs(write(tmp_path / "set.jsonl", row() + "\n" + line + "\n" + row(id="last_one")))
    assert [brief.id for brief in briefs] == ["half_steps", "last_one"]
    assert problems[0].path.endswith("set.jsonl:2") and message in str(problems[0].error)


def test_a_brief_of_ten_megabytes_is_refused_by_its_size_alone(tmp_path: Path) -> None:
    path = tmp_path / "big.md"
    with path.open("wb") as file:
        file.truncate(10 << 20)
    assert "10,485,760 bytes" in str(read_briefs(path).problems[0].error)
    line = write(tmp_path / "big.jsonl", b'"' + b"x" * (17 << 20) + b'"\n' + row().encode())
    briefs, problems = read_briefs(line)
    assert [brief.id for brief in briefs] == ["half_steps"] and "a line of more than" in str(problems[0].error)


def test_a_statement_that_is_too_long_is_a_problem_of_that_brief(tmp_path: Path) -> None:
    path = write(tmp_path / "long.md", HEAD + "word " * 60_000)
    assert "at most 200000" in str(read_briefs(path).problems[0].error)


def test_links_may_not_leave_the_folder(tmp_path: Path) -> None:
    secret = write(tmp_path / "outside" / "secret.py", "print('secret')")
    root = tmp_path / "set"
    write(root / "a" / "brief.md", HEAD + "Rules.")
    (root / "a" / "solution.py").symlink_to(secret)
    (root / "b.md").symlink_to(write(tmp_path / "outside" / "b.md", HEAD + BODY))
    (root / "c").symlink_to(tmp_path / "outside")
    (root / "d" / "samples").mkdir(parents=True)
    write(root / "d" / "brief.md", HEAD.replace("half_steps", "fourth_one") + "Rules.")
    (root / "d" / "samples" / "1.in").symlink_to(secret)
    write(root / "d" / "samples" / "1.out", "3")
    (root / "e.md").symlink_to(root / "nowhere.md")
    briefs, problems = read_briefs(root)
    assert not briefs
    assert sorted(Path(problem.path).name for problem in problems) == ["a", "b.md", "c", "d", "e.md"]
    assert all("link" in str(problem.error) for problem in problems)


def test_special_files_and_odd_folders_are_problems(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    write(tmp_path / "half" / "brief.md", HEAD + "Rules.")
    write(tmp_path / "half" / "samples" / "1.in", "1")
    write(tmp_path / "two" / "brief.md", HEAD.replace("half_steps", "second_one") + BODY)
    write(tmp_path / "two" / "solution.py", "print(1)")
    write(
        tmp_path / "way" / "brief.md",
        HEAD.replace("+++\n", "[solution]\nfile = '../x.py'\n+++\n").replace(
            "[solution]\nfile = '../x.py'\n+++\nid", "+++\nid", 1
        )
        + "Rules.",
    )
    problems = {Path(problem.path).name: str(problem.error) for problem in read_briefs(tmp_path).problems}
    assert "not a regular file" in problems["pipe.md"]
    assert "no 1.out" in problems["half"]
    assert "both in the text and in files" in problems["two"]
    assert "solution.file" in problems["way"]


def test_a_path_without_briefs_is_a_usage_error(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere", tmp_path, write(tmp_path / "x.yaml", "a: 1")):
        with pytest.raises(UsageError):
            read_briefs(path)


def test_carriage_returns_and_a_byte_order_mark_make_no_difference(tmp_path: Path) -> None:
    plain = read_briefs(write(tmp_path / "a.md", HEAD + BODY)).briefs[0]
    windows = b"\xef\xbb\xbf" + (HEAD + BODY).replace("\n", "\r\n").encode()
    assert read_briefs(write(tmp_path / "b.md", windows)).briefs[0] == plain
