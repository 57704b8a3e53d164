"""A checkout's docstrings are read from their raw text; nothing of them is imported or evaluated."""

from __future__ import annotations

from pathlib import Path

import pytest

from authoring.compiler.compile import understand
from authoring.sources import read_briefs
from bootcamp_kit.brief import Sample

FILE = r'''"""#

### 谜题描述
A gardener plants n rows; the i-th row has \"ai\" trees. Print how many trees there are, modulo 109 + 7.

Input

The first line contains one integer n (1 ≤ n ≤ 105).

The second line contains n integers a1, a2, ..., an (1 ≤ ai ≤ 109).

Output

Print one integer.

Examples

Input

2
3 4


Output

7


Input

1
5

Output

5

Note

Trees are \"trees\".

Here is a reference code to solve this task. You can use this to help you genereate cases or validate the solution.
```python
import sys
n = int(raw_input())
sys.stdout.write(str(sum(map(int, raw_input().split())) % 1000000007) + \"\n\")
```


请完成上述谜题的训练场环境类实现，包括所有必要的方法。
"""
raise SystemExit("this file must never run")
'''
WITH_PREFACE = r'''"""# 谜题训练场开发任务
```python
class A:
    pass
```
### 谜题描述
Fill a grid.


请完成上述谜题的训练场环境类实现，包括所有必要的方法。
"""
'''


def checkout(root: Path, **files: str) -> Path:
    for name, text in files.items():
        place = root / "internbootcamp" / "bootcamp" / name / f"{name}.py"
        place.parent.mkdir(parents=True)
        place.write_text(text)
    return root


def test_statement_samples_and_code_come_from_the_raw_text(tmp_path: Path) -> None:
    found = read_briefs(checkout(tmp_path, ctrees=FILE))
    assert found.problems == []
    (brief,) = found.briefs
    assert (brief.id, brief.family, brief.source.licence) == ("ib_ctrees", "internbootcamp", "unknown")
    assert brief.samples == (Sample("2\n3 4\n", "7\n"), Sample("1\n5\n", "5\n"))
    assert brief.solution is not None
    assert brief.solution.language == "python2"
    assert brief.solution.code.endswith('% 1000000007) + "\\n")\n')
    assert brief.text.startswith('A gardener plants n rows; the i-th row has "ai" trees.')
    assert "(1 ≤ n ≤ 10^5)" in brief.text
    assert "modulo 10^9 + 7" in brief.text
    assert "请完成" not in brief.text
    assert any("usual modulus" in note for note in brief.notes)


def test_a_description_stands_after_a_long_preface_and_without_code(tmp_path: Path) -> None:
    (brief,) = read_briefs(checkout(tmp_path, grid=WITH_PREFACE)).briefs
    assert (brief.text, brief.solution) == ("Fill a grid.\n", None)


@pytest.mark.parametrize(
    "text",
    [
        "import os\n",
        '"""A class without a description."""\n',
        "",
        'x = """### 谜题描述\nnot the first string\n"""\n',
        "# only 谜题描述 in a comment\n",
    ],
)
def test_a_file_without_a_description_is_passed_over(tmp_path: Path, text: str) -> None:
    found = read_briefs(checkout(tmp_path, other=text, ctrees=FILE))
    assert [brief.id for brief in found.briefs] == ["ib_ctrees"]
    assert found.problems == []


def test_a_string_that_never_ends_costs_only_its_own_file(tmp_path: Path) -> None:
    found = read_briefs(checkout(tmp_path, broken='"""# \n### 谜题描述\nNo end', ctrees=FILE))
    assert [brief.id for brief in found.briefs] == ["ib_ctrees"]
    assert "never ends" in str(found.problems[0].error)


def test_two_files_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    root = checkout(tmp_path, ctrees=FILE)
    second = root / "internbootcamp" / "bootcamp" / "contest_7_ctrees" / "ctrees.py"
    second.parent.mkdir()
    second.write_text(FILE)
    assert {brief.id for brief in read_briefs(root).briefs} == {"ib_ctrees", "ib_contest_7_ctrees"}


def test_links_out_of_the_checkout_are_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside.py"
    outside.write_text(FILE)
    root = checkout(tmp_path / "root", ctrees=FILE)
    place = root / "internbootcamp" / "bootcamp" / "linked"
    place.mkdir()
    (place / "linked.py").symlink_to(outside)
    found = read_briefs(root)
    assert [brief.id for brief in found.briefs] == ["ib_ctrees"]
    assert "link out of the folder" in str(found.problems[0].error)


def test_a_source_file_says_what_the_checkout_does_not(tmp_path: Path) -> None:
    root = checkout(tmp_path, ctrees=FILE)
    (root / "source.toml").write_text(
        'licence = "CC-BY-4.0"\nfamily = "gardens"\nattribution = "A. Gardener"\ntags = ["trees"]\n'
    )
    (brief,) = read_briefs(root).briefs
    assert (brief.source.licence, brief.family, brief.source.attribution) == ("CC-BY-4.0", "gardens", "A. Gardener")
    assert brief.tags == ("contest", "trees")


def test_a_source_file_with_an_unknown_key_is_said_once_per_brief_it_speaks_for(tmp_path: Path) -> None:
    root = checkout(tmp_path, ctrees=FILE)
    (root / "source.toml").write_text('license = "MIT"\n')
    found = read_briefs(root)
    assert found.briefs == []
    assert "license" in str(found.problems[0].error)


def test_the_compiler_reads_such_a_statement(tmp_path: Path) -> None:
    text = FILE.replace("raw_input", "input").replace(", modulo 109 + 7", "").replace(" % 1000000007", "")
    text = text.replace("a1, a2, ..., an", "a_1, a_2, ..., a_n").replace("ai ≤", "a_i ≤")
    (brief,) = read_briefs(checkout(tmp_path, ctrees=text)).briefs
    understood = understand(brief)
    assert [len(payloads) for payloads in understood.payloads] == [1, 1]
