"""Kattis and Polygon packages, in folders and in archives, well made and hostile."""

from __future__ import annotations

import os
import stat
import zipfile
from pathlib import Path

import pytest

from authoring.sources import read_briefs
from authoring.sources.archive import MAX_MEMBER_BYTES
from bootcamp_kit.brief import Brief, Sample

KATTIS = {
    "problem.yaml": "name: Water Lilies\nlicense: cc by-sa\nsource: Pond Open\nsource_url: https://example.org/pond\n"
    "author: Ada Frog\nkeywords: ponds sums\nlimits:\n  time_limit: 2\n",
    "problem_statement/problem.en.tex": "\\problemname{Water Lilies}\n% a comment\nCount \\emph{all} lilies of $n$"
    " ponds ---~really.\n"
    "\\illustration{0.4}{lily}{A lily}\n\\section*{Input}\nOne integer $n$ ($1 \\leq n \\leq 10^5$)."
    "\n\\begin{itemize}\n\\item ``one''\n\\end{itemize}\n\\section*{Output}\nPrint \\texttt{n\\_x}.\n",
    "problem_statement/problem.sv.tex": "\\problemname{Näckrosor}\n",
    "data/sample/1.in": "3\n",
    "data/sample/1.ans": "3\n",
    "data/sample/2.in": "4\n",
    "data/sample/10.in": "5\n",
    "data/sample/2.ans": "4\n",
    "data/sample/10.ans": "5\n",
    "data/secret/big.in": "9\n",
    "data/secret/big.ans": "9\n",
    "submissions/accepted/a.cc": "#include <iostream>\nint main() {}\n",
    "submissions/accepted/b.py": "print(int(input()))\n",
    "submissions/wrong_answer/off_by_one.py": "print(int(input()) + 1)\n",
    "submissions/wrong_answer/several/main.py": "import other\n",
    "submissions/time_limit_exceeded/slow.py": "while True: pass\n",
}
POLYGON = {
    "problem.xml": """<?xml version="1.0" encoding="utf-8"?>
<problem short-name="lily-pads" url="https://example.org/lily-pads">
  <names><name language="english" value="Lily pads"/></names>
  <statements><statement language="english" path="statements/english/problem.tex"/></statements>
  <judging><testset name="tests"><time-limit>1500</time-limit>
    <input-path-pattern>tests/%02d</input-path-pattern><answer-path-pattern>tests/%02d.a</answer-path-pattern>
    <tests><test method="manual" sample="true"/><test method="generated"/><test method="generated"/></tests>
  </testset></judging>
  <assets><checker name="std::ncmp.cpp" type="testlib"/>
    <solutions>
      <solution tag="main"><source path="solutions/main.cpp" type="cpp.g++17"/></solution>
      <solution tag="accepted"><source path="solutions/also.py" type="python.3"/></solution>
      <solution tag="wrong-answer"><source path="solutions/greedy.py" type="python.3"/></solution>
      <solution tag="rejected"><source path="solutions/slow.py" type="python.3"/></solution>
    </solutions></assets>
</problem>
""",
    "statement-sections/english/legend.tex": "Count pads.\n",
    "statement-sections/english/input.tex": "One integer $n$ ($1 \\le n \\le 9$).\n",
    "statement-sections/english/output.tex": "Print it.\n",
    "statement-sections/english/example.01": "4\n",
    "statement-sections/english/example.01.a": "4\n",
    "tests/01": "4\n",
    "tests/01.a": "4\n",
    "tests/02": "5\n",
    "tests/02.a": "5\n",
    "solutions/main.cpp": "int main() {}\n",
    "solutions/also.py": "print(input())\n",
    "solutions/greedy.py": "print(0)\n",
    "solutions/slow.py": "print(1)\n",
}


def package(root: Path, files: dict[str, str], **changed: str) -> Path:
    for name, text in {**files, **changed}.items():
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return root


def only(path: Path) -> Brief:
    found = read_briefs(path)
    assert found.problems == []
    (brief,) = found.briefs
    return brief


def problem(path: Path) -> str:
    found = read_briefs(path)
    assert found.briefs == []
    return str(found.problems[0].error)


def test_a_kattis_package_keeps_statement_samples_submissions_and_whom_to_name(tmp_path: Path) -> None:
    brief = only(package(tmp_path / "waterlilies", KATTIS))
    assert (brief.id, brief.title, brief.family) == ("kattis_waterlilies", "Water Lilies", "kattis")
    assert (brief.source.licence, brief.source.attribution) == ("CC-BY-SA-4.0", "Ada Frog")
    assert (brief.source.name, brief.source.url) == ("Pond Open", "https://example.org/pond")
    assert brief.samples == (Sample("3\n", "3\n"), Sample("4\n", "4\n"), Sample("5\n", "5\n"))
    assert brief.tests == (Sample("9\n", "9\n"),)
    assert brief.solution is not None
    assert brief.solution.name == "submissions/accepted/b.py"
    assert [item.language for item in brief.accepted] == ["cpp"]
    assert [item.name for item in brief.wrong] == ["submissions/wrong_answer/off_by_one.py"]
    assert (brief.judge, brief.seconds, brief.tags) == ("exact", 2.0, ("contest", "ponds", "sums"))
    assert "Count *all* lilies of $n$ ponds — really.\n[picture]" in brief.text
    assert '## Input\n\nOne integer $n$ ($1 \\leq n \\leq 10^5$).\n\n- "one"' in brief.text
    assert "`n_x`" in brief.text
    assert any("picture" in note for note in brief.notes)
    assert any("several files" in note for note in brief.notes)


@pytest.mark.parametrize(
    ("facts", "judge"),
    [
        ("validation: custom", "custom"),
        ("validation: custom interactive", "interactive"),
        ("type: interactive", "interactive"),
        ("validator_flags: float_tolerance 1e-6", "tolerance"),
    ],
)
def test_how_a_package_judges_is_kept(tmp_path: Path, facts: str, judge: str) -> None:
    changed = {"problem.yaml": KATTIS["problem.yaml"] + facts + "\n"}
    assert only(package(tmp_path / "lilies", KATTIS, **changed)).judge == judge


def test_a_newer_package_names_people_in_maps_and_fills_constants(tmp_path: Path) -> None:
    told = "problem_format_version: 2025-09\nname: {en: Pads, sv: Blad}\nlicense: permission\nconstants: {most: 7}\n"
    told += "credits:\n  authors:\n    - Ada Frog <ada@example.org>\n    - {name: Bo Toad, email: bo@example.org}\n"
    files = {"problem.yaml": told, "statement/problem.en.md": "At most {{most}}.\n\n## Input\n\nn\n\n{{nextsample}}\n"}
    brief = only(package(tmp_path / "pads", files))
    assert brief.text == "At most 7.\n\n## Input\n\nn\n"
    assert (brief.title, brief.source.attribution, brief.source.licence) == ("Pads", "Ada Frog, Bo Toad", "unknown")
    assert any("permission" in note for note in brief.notes)


def test_a_polygon_package_keeps_its_main_solution_and_its_wrong_ones(tmp_path: Path) -> None:
    brief = only(package(tmp_path / "any", POLYGON))
    assert (brief.id, brief.title, brief.source.licence) == ("polygon_lily_pads", "Lily pads", "unknown")
    assert brief.text == "Count pads.\n\n## Input\n\nOne integer $n$ ($1 \\le n \\le 9$).\n\n## Output\n\nPrint it.\n"
    assert (brief.samples, brief.tests) == ((Sample("4\n", "4\n"),), (Sample("5\n", "5\n"),))
    assert brief.solution is not None
    assert (brief.solution.language, [item.language for item in brief.accepted]) == ("python3", ["cpp"])
    assert [item.name for item in brief.wrong] == ["solutions/greedy.py"]
    assert (brief.judge, brief.seconds) == ("exact", 1.5)
    assert any("rejected" in note for note in brief.notes)


def test_a_polygon_statement_in_one_file_is_cut_at_its_commands(tmp_path: Path) -> None:
    files = {name: text for name, text in POLYGON.items() if not name.startswith("statement-sections")}
    files["statements/english/problem.tex"] = (
        "\\begin{problem}{Pads}{standard input}{standard output}{1 second}{256 megabytes}\nCount.\n\\InputFile\nn\n"
        "\\OutputFile\nn\n\\Example\n\\begin{example}\n\\exmpfile{example.01}{example.01.a}%\n\\end{example}\n\\end{problem}"
    )
    assert only(package(tmp_path / "any", files)).text == "Count.\n\n## Input\n\nn\n\n## Output\n\nn\n"


@pytest.mark.parametrize(
    ("files", "name", "text", "found"),
    [
        (KATTIS, "problem.yaml", "name: [", "not YAML"),
        (KATTIS, "problem.yaml", "- a\n", "not a table"),
        (KATTIS, "problem.yaml", "a: &x [1]\nb: *x\n", "alias"),
        (KATTIS, "problem.yaml", "a: !!python/object/apply:os.system [id]\n", "not YAML"),
        (KATTIS, "problem.yaml", "[" * 3000, "nested too deeply"),
        (KATTIS, "problem.yaml", "- " * 3000, "nested too deeply"),
        (KATTIS, "problem.yaml", "a: " + "b " * 30_000, "too long"),
        (POLYGON, "problem.xml", "<problem>", "not XML"),
        (POLYGON, "problem.xml", "<contest/>", "its root is <contest>"),
        (POLYGON, "problem.xml", '<!DOCTYPE p [<!ENTITY a "b">]><problem>&a;</problem>', "document type"),
    ],
)
def test_damaged_or_hostile_descriptions_are_refused_by_name(
    tmp_path: Path, files: dict[str, str], name: str, text: str, found: str
) -> None:
    assert found in problem(package(tmp_path / "package", files, **{name: text}))


@pytest.mark.parametrize("path", ["../../etc/passwd", "/etc/passwd", "solutions/../../x"])
def test_a_package_cannot_name_files_outside_itself(tmp_path: Path, path: str) -> None:
    xml = POLYGON["problem.xml"].replace("solutions/main.cpp", path)
    assert "name files inside it only" in problem(package(tmp_path / "package", POLYGON, **{"problem.xml": xml}))


def test_a_link_out_of_a_package_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret\n")
    root = package(tmp_path / "package", KATTIS)
    (root / "data/sample/1.in").unlink()
    (root / "data/sample/1.in").symlink_to(tmp_path / "secret.txt")
    assert "link out of the folder" in problem(root)


def test_a_pipe_in_a_package_is_no_file(tmp_path: Path) -> None:
    root = package(tmp_path / "package", KATTIS)
    (root / "data/sample/1.in").unlink()
    os.mkfifo(root / "data/sample/1.in")
    assert "not a regular file" in problem(root)


def test_tests_that_are_too_large_or_no_text_are_left_out_and_told_of(tmp_path: Path) -> None:
    root = package(tmp_path / "package", KATTIS, **{"data/secret/big.in": "9" * 3_000_000})
    (root / "data/secret/raw.in").write_bytes(b"\xff\xfe\n")
    (root / "data/secret/raw.ans").write_text("1\n")
    brief = only(root)
    assert brief.tests == ()
    assert any("of 2 tests of data/secret left out, too large or no text: 2" in note for note in brief.notes)


def test_a_bad_package_costs_its_neighbour_nothing(tmp_path: Path) -> None:
    package(tmp_path / "good", KATTIS)
    package(tmp_path / "bad", POLYGON, **{"problem.xml": "<problem>"})
    found = read_briefs(tmp_path)
    assert [brief.id for brief in found.briefs] == ["kattis_good"]
    assert len(found.problems) == 1


def test_a_checkout_of_a_package_is_a_package(tmp_path: Path) -> None:
    (package(tmp_path / "cloned", KATTIS) / ".git").mkdir()
    assert only(tmp_path).id == "kattis_cloned"


def archive(path: Path, files: dict[str, str], below: str = "") -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in files.items():
            file.writestr(below + name, text)
    return path


@pytest.mark.parametrize("below", ["", "waterlilies/"])
def test_an_archive_is_read_like_the_folder_it_holds(tmp_path: Path, below: str) -> None:
    folder = only(package(tmp_path / "waterlilies", KATTIS))
    assert only(archive(tmp_path / "waterlilies.zip", KATTIS, below)) == folder


def test_a_problem_inside_an_archive_is_told_of_by_the_archive_s_name(tmp_path: Path) -> None:
    path = archive(tmp_path / "bad.zip", {"problem.xml": "<problem>"})
    found = read_briefs(path)
    assert found.problems[0].path == str(path)
    assert str(path) in str(found.problems[0].error)
    assert "bootcamp-source-" not in str(found.problems[0].error)


@pytest.mark.parametrize("name", ["../evil.py", "/evil.py", "a/../../evil.py", "a\\..\\evil.py", "C:evil"])
def test_an_archive_writes_nothing_outside_its_own_folder(tmp_path: Path, name: str) -> None:
    assert "a member named" in problem(archive(tmp_path / "a.zip", {**KATTIS, name: "x"}))


def test_links_bombs_and_nested_archives_are_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "link.zip", "w") as file:
        link = zipfile.ZipInfo("problem.yaml")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        file.writestr(link, "/etc/passwd")
    assert "a link inside" in problem(tmp_path / "link.zip")
    bomb = archive(tmp_path / "bomb.zip", {f"{number}": "0" * MAX_MEMBER_BYTES for number in range(33)})
    assert bomb.stat().st_size < 1 << 20
    assert "bytes when unpacked" in problem(bomb)
    assert "archive inside" in problem(archive(tmp_path / "nested.zip", {"a/b.zip": "x"}))
    (tmp_path / "no.zip").write_text("PK\x03\x04 nothing")
    assert "not a readable zip" in problem(tmp_path / "no.zip")
    assert "no brief in it" in problem(archive(tmp_path / "empty.zip", {"a.txt": "x"}))
