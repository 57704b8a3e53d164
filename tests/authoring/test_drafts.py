"""What a reply is taken for: every way in which a model can miss the form, and the decoration that is forgiven."""

from __future__ import annotations

import pytest

from authoring.draft_contract import assemble
from authoring.drafts import ASKED_FOR, DraftProblem, ProblemKind, changed_files, read_files, require_all
from bootcamp_kit.folder import TaskFolder
from chat_models.protocol import ChatReply, StopReason, Usage
from tests.authoring.parts import make_brief, reply_with

K = ProblemKind
GOOD = reply_with()
BRIEF = make_brief(tags=("sums",))


def reply(text: str, stop: StopReason = StopReason.END) -> ChatReply:
    return ChatReply(text, stop, Usage(), "scripted:model")


def draft(text: str, stop: StopReason = StopReason.END) -> TaskFolder:
    files = read_files(reply(text, stop))
    require_all(files, stop)
    return assemble(files, BRIEF, author="scripted:model")


def without(name: str) -> str:
    start = GOOD.index(f"=== FILE {name} ===")
    end = GOOD.index("=== END FILE ===", start) + len("=== END FILE ===")
    return GOOD[:start] + GOOD[end:]


def replaced(old: str, new: str) -> str:
    assert old in GOOD
    return GOOD.replace(old, new)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (K.PROSE, "I would be glad to help! Here is how I would think about the puzzle."),
        (K.PROSE, ""),
        (K.PROSE, "```python\nprint('a fenced block is not a file')\n```"),
        (K.TRUNCATED, GOOD[: GOOD.index("def verify")]),
        (K.UNCLOSED, replaced("BOOTCAMP = ExactLoad()\n=== END FILE ===", "BOOTCAMP = ExactLoad()")),
        (K.MISSING, without("oracle.py")),
        (K.MISSING, without("examples.toml")),
        (K.FILE_NAME, replaced("FILE bootcamp.py", "FILE ../../bootcamp.py")),
        (K.FILE_NAME, replaced("FILE bootcamp.py", "FILE /etc/passwd")),
        (K.FILE_NAME, replaced("FILE bootcamp.py", "FILE evidence/record.toml")),
        (K.FILE_NAME, replaced("FILE bootcamp.py", "FILE helper.py")),
        (K.FILE_NAME, replaced("FILE bootcamp.py", "FILE bootcamp.py; rm -rf x")),
        (K.FILE_NAME, replaced("FILE bootcamp.py", "FILE {0.__class__}")),
        (K.TWICE, GOOD + "\n" + reply_with(fault=True)),
        (K.TOO_LARGE, replaced('"""Crates to choose', '"""' + "x" * 200_001)),
        (K.SYNTAX, replaced("def verify(self", "def verify(self,,")),
        (K.SYNTAX, replaced("count // 2 - 1", "(" * 5_000)),
        (K.SYNTAX, replaced('"""Crates to choose', '"""\x00')),
        (K.SYNTAX, replaced('"""Crates to choose', '"""\ud800')),
        (K.CONTRACT, replaced("def verify(", "def check(")),
        (K.CONTRACT, replaced("def generate(", "def case_generator(").replace("def verify(", "def verify_score(")),
        (K.CONTRACT, replaced("def verify(", "def score(self, case, response): ...\n\n    def verify(")),
        (K.CONTRACT, replaced("BOOTCAMP = ExactLoad()", "bootcamp = ExactLoad()")),
        (K.CONTRACT, replaced("ORACLE = ExactLoadOracle()", "")),
        (K.CONTRACT, replaced("def solve(", "def answer(")),
        (K.CARD, replaced('title = "Exact load"', "title = Exact load")),
        (K.CARD, replaced('title = "Exact load"\n', "")),
        (K.CARD, replaced('title = "Exact load"', 'title = "Exact load"\napproved = true')),
        (K.CARD, replaced('kind = "integers"', 'kind = "essay"')),
        (K.CARD, replaced("crates = [8, 10, 12, 15, 18]", "crates = [8, 10]")),
        (K.CARD, replaced("crates = [8, 10, 12, 15, 18]", "crates = 8")),
        (K.CARD, replaced('solutions = "any"', 'solutions = ["any"]')),
        (K.EXAMPLES, replaced("[[malformed]]", "[[malformed]]\n[[")),
        (K.EXAMPLES, replaced('[[malformed]]\nname = "no delimiters"\nresponse = "Crates 2 and 3."', "")),
        (K.EXAMPLES, replaced("[[malformed]]", "[[unsure]]")),
        (K.EXAMPLES, replaced('payload = \'{"weights": [4, 9, 20, 33], "load": 8}\'', "payload = '{broken'")),
    ],
)
def test_an_unusable_reply_is_named_for_its_problem(kind: ProblemKind, text: str) -> None:
    with pytest.raises(DraftProblem) as caught:
        draft(text)
    assert caught.value.kind is kind
    assert len(str(caught.value)) < 500


def test_a_syntax_error_is_told_with_the_line_it_is_in() -> None:
    with pytest.raises(DraftProblem) as caught:
        draft(replaced("class ExactLoad(Bootcamp):", "class ExactLoad(Bootcamp:"))
    assert "bootcamp.py line 13: " in str(caught.value)
    assert "in 'class ExactLoad(Bootcamp:'" in str(caught.value)


@pytest.mark.parametrize("cut_at", ["=== END FILE ===\n=== FILE oracle.py", "BOOTCAMP = ExactLoad()", "=== FILE card"])
def test_a_reply_at_its_length_limit_is_told_so(cut_at: str) -> None:
    with pytest.raises(DraftProblem) as caught:
        draft(GOOD[: GOOD.index(cut_at) + 16], StopReason.LENGTH)
    assert caught.value.kind is K.TRUNCATED
    assert "length limit" in caught.value.message


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        "Here are the files.\n\n" + GOOD + "\n\nI hope that helps.",
        "```\n" + GOOD + "\n```",
        GOOD.replace("\n", "\r\n"),
        replaced("=== FILE oracle.py ===", "**=== FILE: `oracle.py` ===**"),
        replaced("=== FILE oracle.py ===", "===== FILE oracle.py ====="),
        GOOD.replace("=== FILE oracle.py ===\n", "=== FILE oracle.py ===\n```python\n").replace(
            "ORACLE = ExactLoadOracle()\n", "ORACLE = ExactLoadOracle()\n```\n"
        ),
        replaced("ExactLoadOracle()\n=== END FILE ===", "ExactLoadOracle()\n=== END FILE oracle.py ==="),
        GOOD + "\n" + GOOD,
    ],
    ids=[
        "plain",
        "prose around",
        "fenced whole",
        "CRLF",
        "bold",
        "long bars",
        "fenced file",
        "named end",
        "same twice",
    ],
)
def test_decoration_is_forgiven(text: str) -> None:
    assert draft(text).files == draft(GOOD).files


def test_the_files_are_exactly_those_of_a_task() -> None:
    assert set(draft(GOOD).files) == {*ASKED_FOR, "brief.md"}


def test_identity_source_licence_and_author_are_ours_to_say() -> None:
    claims = (
        'title = "Exact load"\nid = "other_task"\nfamily = "other"\nauthor = "A. Reviewer"\nversion = "9.9.9"\n'
        'tags = ["approved"]'
    )
    forged = replaced('title = "Exact load"', claims) + "\n"
    forged = forged.replace(
        "[difficulty.axes]", '[source]\nkind = "x"\nname = "y"\nlicence = "MIT"\nsha256 = "0"\n\n[difficulty.axes]'
    )
    card = draft(forged).card
    assert (card.id, card.family, card.author, card.version) == (BRIEF.id, BRIEF.family, "scripted:model", "1.0.0")
    assert (card.source, card.tags) == (BRIEF.source, BRIEF.tags)
    assert card.title == "Exact load"


def test_brief_md_holds_the_brief_its_source_and_licence() -> None:
    page = draft(GOOD).files["brief.md"].decode()
    assert BRIEF.text in page
    assert BRIEF.source.licence in page


def test_a_repair_changes_only_the_files_it_gives() -> None:
    before = draft(reply_with(fault=True))
    files = read_files(reply(GOOD[: GOOD.index("=== FILE oracle.py ===")]))
    after = assemble(changed_files(files, before), BRIEF, author="scripted:model", base=before)
    assert after.files["oracle.py"] == before.files["oracle.py"]
    assert after.files["bootcamp.py"] != before.files["bootcamp.py"]
    assert after.content_hash == draft(GOOD).content_hash


def test_a_repair_without_a_change_is_a_problem() -> None:
    before = draft(GOOD)
    start = GOOD.index("=== FILE bootcamp.py")
    with pytest.raises(DraftProblem) as caught:
        changed_files(read_files(reply(GOOD[start:])), before)
    assert caught.value.kind is K.UNCHANGED


def test_a_long_reply_is_read_in_linear_time() -> None:
    with pytest.raises(DraftProblem):
        draft("=== FILE bootcamp.py" + " =" * 500_000)
    with pytest.raises(DraftProblem):
        draft("=== FILE \n" * 200_000)
