"""A model at the compiler's side writes an input format and nothing else; what it writes is checked like all others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from authoring.compiler import AUTHOR, program_runner
from authoring.compiler.compile import understand
from authoring.compiler.input_format import InputFormat
from authoring.compiler_assist import AssistedCompiler, read_format
from authoring.outcomes import OutcomeKind
from authoring.workflow import author
from bootcamp_kit.brief import Brief, Sample, Solution
from bootcamp_kit.errors import MachineError
from chat_models.cache import CachedModel
from chat_models.ledger import Ledger
from chat_models.options import ModelOptions
from chat_models.providers import open_model
from sandbox.calls import Observation
from sandbox.service import Sandbox
from tests.authoring.conftest import MakeContext
from tests.authoring.parts import RUN_ID, Queue, make_brief, simple_gate
from tests.wire_servers.fixtures import openai_server
from tests.wire_servers.reply import fails, refuses, says
from tests.wire_servers.server import WireServer

__all__ = ["openai_server"]

STATEMENT = """Lamps stand in a row and the brightness of each is known. Print the largest total brightness of
lamps that stand next to each other without a gap; at least one lamp must be taken.

## Input

First you are told of n, how many lamps there are, and behind it, below, of their brightness, all at once; n lies
anywhere up to a hundred and brightness within a thousand either side of nothing.{more}

## Output

Print one integer, the largest total.
"""
SOLUTION = """n = int(input())
best = here = None
for value in map(int, input().split()):
    here = value if here is None or here < 0 else here + value
    best = here if best is None or here > best else best
print(best)
"""
SAMPLES = (Sample("4\n1 -2 3 4\n", "7\n"), Sample("2\n-5 -3\n", "-3\n"))
FORMAT = """{"blocks": [
 {"kind": "line", "items": [{"kind": "number", "name": "n", "low": "1", "high": "100"}]},
 {"kind": "line", "items": [{"kind": "numbers", "name": "a", "count": "n", "low": "-1000", "high": "1000"}]}]}"""
Open = Callable[[], AssistedCompiler]


def lamps(more: str = "") -> Brief:
    return make_brief(text=STATEMENT.format(more=more), samples=SAMPLES, solution=Solution("python3", SOLUTION))


def nothing_runs(programs: Sequence[tuple[str, str]]) -> list[Observation]:
    raise MachineError("running a program", "nothing may run", "")


@pytest.fixture
def assisted(openai_server: WireServer, tmp_path: Path) -> Iterator[Open]:
    environ = {"OPENAI_API_KEY": "sk-test", "OPENAI_BASE_URL": openai_server.url}
    model = open_model("openai:model-1", environ=environ, options=ModelOptions(timeout_s=60.0, max_retries=0))
    with closing(Ledger.open(tmp_path / "calls.sqlite", RUN_ID)) as ledger:
        yield lambda: AssistedCompiler(nothing_runs, None, CachedModel(model, ledger))


@pytest.mark.parametrize(
    ("reply", "kind", "words"),
    [
        (says("I can not tell."), OutcomeKind.REFUSED, "grammar: "),
        (says("{}"), OutcomeKind.REFUSED, "grammar: "),
        (refuses("No."), OutcomeKind.REFUSED, "grammar: "),
        (says(FORMAT.replace('"100"', '"3"')), OutcomeKind.REFUSED, "samples: "),
        (says(FORMAT.replace('"1000"}', '"10**4 + x"}')), OutcomeKind.REFUSED, "grammar: "),
        (fails(500), OutcomeKind.FAILED, "500"),
    ],
)
async def test_what_a_model_writes_is_checked(
    assisted: Open, openai_server: WireServer, make_context: MakeContext, reply: object, kind: OutcomeKind, words: str
) -> None:
    openai_server.answer = lambda request: reply
    (outcome,) = (await author([lamps()], make_context(author=assisted()))).outcomes
    assert outcome.kind is kind
    assert words in outcome.reason


async def test_a_promise_that_the_format_leaves_out_is_refused(
    assisted: Open, openai_server: WireServer, make_context: MakeContext
) -> None:
    openai_server.answer = lambda request: says(FORMAT)
    more = " It is guaranteed that no two lamps are equally bright."
    (outcome,) = (await author([lamps(more)], make_context(author=assisted()))).outcomes
    assert outcome.kind is OutcomeKind.REFUSED
    assert "promise" in outcome.reason


async def test_the_model_is_asked_for_nothing_else(
    assisted: Open, openai_server: WireServer, make_context: MakeContext
) -> None:
    text = (
        STATEMENT.format(more="").replace("Print one integer", "Print any")
        + "\nIf there are several, print any of them.\n"
    )
    brief = make_brief(text=text, samples=SAMPLES, solution=Solution("python3", SOLUTION))
    (outcome,) = (await author([brief], make_context(author=assisted()))).outcomes
    assert outcome.kind is OutcomeKind.REFUSED
    assert not openai_server.requests


def test_a_format_is_read_from_a_reply_with_words_around_it() -> None:
    assert read_format(f"Here it is:\n```json\n{FORMAT}\n```\n") == InputFormat.model_validate_json(FORMAT)
    assert read_format("{" * 5_000) is None


def test_a_format_takes_the_place_of_the_grammar() -> None:
    text = f"{lamps().text}\n```input-format\n{FORMAT}\n```\n"
    brief = make_brief(text=text, samples=SAMPLES, solution=Solution("python3", SOLUTION))
    assert understand(brief, format_by="openai:model-1").format_by == "openai:model-1"


@pytest.mark.docker
async def test_a_brief_with_a_model_written_format_is_compiled_and_queued(
    assisted: Open, openai_server: WireServer, sandbox: Sandbox, make_context: MakeContext, queue: Queue
) -> None:
    openai_server.answer = lambda request: says(FORMAT)

    with program_runner(sandbox) as run:
        writer = assisted()
        writer.run_program = run
        (outcome,) = (await author([lamps()], make_context(author=writer, gate=simple_gate))).outcomes
    assert outcome.kind is OutcomeKind.QUEUED, outcome.reason
    candidate = queue.submissions[outcome.content_hash].candidate
    assert candidate.lineage.author == f"{AUTHOR}+openai:model-1"
    assert {"helper.md", "input_format.md"} == set(dict(candidate.lineage.prompts))
    assert "input-format" in candidate.folder.files["brief.md"].decode()
    assert len(openai_server.requests) == 1
