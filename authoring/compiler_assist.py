"""The compiler with a model at its side: where a statement's Input section cannot be read, the model writes its format.

Nothing else is asked of the model, and its answer is data: an ``input-format``, read by the schema, on which every
sample has to read back. Promises in the Input section are then looked for as they are in the story, since no sentence
rule has read it. All the rest is the compiler's own work, as without a model.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from dataclasses import asdict, replace

from pydantic import ValidationError

from authoring.author import Assignment, Draft, Refused
from authoring.compiler import compile_brief
from authoring.compiler.input_format import InputFormat
from authoring.compiler.outcome import Compiled, ProgramRunner, Refusal, Stage
from authoring.compiler_author import OUTCOMES, CompilerAuthor, judged_otherwise, outcome_row
from authoring.known_answers import with_known_answers
from authoring.model_author import brief_text
from authoring.prompts import Prompts, fenced
from authoring.roles import Role, labelled, transcript
from bootcamp_kit.brief import Brief
from bootcamp_kit.candidate import Candidate, Lineage
from chat_models.errors import ContextOverflow
from chat_models.protocol import ChatModel, ChatRequest, Message, StopReason
from sandbox.compiled.programs import CompiledRunner
from sandbox.escaping import escaped

HELPED = (Stage.GRAMMAR, Stage.BOUNDS, Stage.SAMPLES)
"""Stages at which an input format written by another is what is missing."""
MAX_ASKED, MAX_TOKENS, MAX_FORMAT = 2, 8_000, 20_000
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)


class AssistedCompiler(CompilerAuthor):
    """Compiles briefs; asks a model for an input format where that is all that is missing.

    Args:
        run_program: See :class:`CompilerAuthor`.
        run_compiled: See :class:`CompilerAuthor`.
        model: Writes the format. Hand over a caching model, so that a resumed run pays nothing twice.
    """

    def __init__(self, run_program: ProgramRunner, run_compiled: CompiledRunner | None, model: ChatModel) -> None:
        super().__init__(run_program, run_compiled)
        self.model, self.prompts = model, Prompts()
        self.plain_name = CompilerAuthor.name
        self.name = f"{CompilerAuthor.name}+{model.name}"

    async def draft(self, work: Assignment) -> Draft:
        """Compile the brief; with a format of the model's where the compiler cannot read it."""
        started = time.perf_counter()
        made, helped = await asyncio.to_thread(self._compiled, work.brief), False
        for number in range(1, MAX_ASKED + 1):
            if not isinstance(made, Refusal) or made.stage not in HELPED or judged_otherwise(work.brief):
                break
            format_ = await self._asked(work, made, number)
            if isinstance(format_, Refused):
                return format_
            if format_ is None:
                break
            made, helped = await asyncio.to_thread(self._assisted, work.brief, format_), True
        row = outcome_row(work.brief, made, time.perf_counter() - started)
        with (work.run.root / OUTCOMES).open("a", encoding="utf-8") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
        if isinstance(made, Refusal):
            return Refused(made.stage.value, f"{made.reason} → {made.advice}")
        author = self.name if helped else self.plain_name
        work.run.put_transcript(
            f"{work.brief.id}-c{work.index}-t{work.number}",
            {"author": author, "explanation": asdict(made.explanation)},
        )
        prompts = self.prompts.hashes_of(["assist"]) if helped else ()
        lineage = Lineage(author, work.brief.hash, index=work.index, prompts=prompts, run=work.run.run_id)
        return Candidate(made.folder, lineage)

    async def close(self) -> None:
        """Give the model's connections back."""
        await self.model.close()

    async def _asked(self, work: Assignment, refusal: Refusal, number: int) -> InputFormat | Refused | None:
        """The model's format; None where it writes none."""
        asked = self.prompts.fill(
            "input_format",
            refusal=fenced("refusal", escaped(str(refusal), 500)),
            brief=fenced("brief", brief_text(replace(work.brief, solution=None, wrong=()))),
            schema=json.dumps(InputFormat.model_json_schema(), separators=(",", ":")),
        )
        request = ChatRequest(
            (Message("system", self.prompts.helper), Message("user", asked)), MAX_TOKENS, nonce=number
        )
        try:
            reply = await labelled(self.model, Role.AUTHOR, work.brief.id).chat(request)
        except ContextOverflow as error:
            return Refused("context", f"longer than the model can read: {escaped(error.found, 300)}")
        kept = transcript(request, reply, asked=self.model.name)
        work.run.put_transcript(f"{work.brief.id}-c{work.index}-format{number}", kept)
        return None if reply.stop is StopReason.REFUSAL else read_format(reply.text)

    def _assisted(self, brief: Brief, format_: InputFormat) -> Compiled | Refusal:
        block = f"```input-format\n{format_.model_dump_json(indent=1)}\n```"
        made = compile_brief(
            replace(brief, text=f"{brief.text.rstrip()}\n\n{block}\n"),
            self.run_program,
            self.run_compiled,
            format_by=self.model.name,
        )
        return made if isinstance(made, Refusal) else with_known_answers(made, brief, self.run_program)


def read_format(text: str) -> InputFormat | None:
    """The format in a reply; None where there is none that the schema takes."""
    found = _OBJECT.search(text[:MAX_FORMAT])
    if found is None:
        return None
    try:
        return InputFormat.model_validate_json(found[0])
    except ValidationError:
        return None
