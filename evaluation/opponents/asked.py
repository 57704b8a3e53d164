"""Asks attacker and blind solver, and tries what they say.

::

    attacker, cases only  ─►  every claim tried  ─►  attacker, with the source  ─►  every claim tried
    blind solver, one prompt after the other     ─►  every answer tried

A reply that was paid for is kept by the model it came through: asked again, a stopped audit goes the same way for free.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from pydantic import BaseModel, ConfigDict

from bootcamp_kit.errors import BudgetError, ProviderError
from chat_models.protocol import ChatModel, ChatRequest, Message, StopReason
from chat_models.structured import ask_for
from evaluation.boxes import job_limits
from evaluation.opponents.matter import Shown, cases_text, code_text, fenced, prompt, shown_cases, tried
from sandbox.checks.evidence import Evidence, Scored
from sandbox.checks.observed import describe
from sandbox.escaping import escaped
from sandbox.service import Sandbox

MAX_RESPONSE_CHARS, MAX_WHY_CHARS, MAX_COMPLAINT_CHARS = 20_000, 400, 500
WRONG_ACCEPTED, RIGHT_REJECTED = "wrong_accepted", "right_rejected"
_MISSING = re.compile(r"^[\s*_>#-]{0,10}MISSING[*_]{0,2}\s{0,5}:[*_]{0,2}[ \t]*(\S.*)$", re.MULTILINE | re.IGNORECASE)
_NOTHING = re.compile(r"[\s*_`\"'.(]*(?:nothing|none|no|n/?a|nil)\b[\s*_`\"'.)!]*$", re.IGNORECASE)
T = TypeVar("T")


class Claim(BaseModel):
    """One response that an attacker says is judged wrongly."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    case: int
    response: str
    claim: Literal["wrong_accepted", "right_rejected"]
    why: str


class Claims(BaseModel):
    """All of an attacker's claims."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    claims: list[Claim]


@dataclass(frozen=True, slots=True)
class OpponentPlan:
    """How much is asked.

    Attributes:
        per_level: Cases of each level that are shown.
        claims: Claims of one reply that are tried at most.
        blind: Prompts that the solver is given.
        tokens: Most output tokens of a reply.
        minutes: What is not answered by then is not waited for; None waits.
    """

    per_level: int = 2
    claims: int = 8
    blind: int = 10
    tokens: int = 16_000
    minutes: float | None = None


@dataclass(frozen=True, slots=True)
class TriedClaim:
    """A claim and what came of it; ``stage`` is ``cases only`` or ``with the source``."""

    shown: Shown
    claim: str
    why: str
    stage: str
    scored: Scored


@dataclass(frozen=True, slots=True)
class BlindAnswer:
    """A blind solver's response to one prompt; ``missing`` is what it says the prompt lacks, or ""."""

    shown: Shown
    missing: str
    scored: Scored


@dataclass(frozen=True, slots=True)
class Said:
    """All that was said and tried.

    Attributes:
        attacker, solver: Names of the models; "" where none was asked.
        claims: Tried ones.
        blind: Answers.
        declined: Stages at which a model would not answer, or not in the form asked for.
        stopped: Why not all was asked (budget, time, provider), or "".
    """

    attacker: str = ""
    solver: str = ""
    claims: tuple[TriedClaim, ...] = ()
    blind: tuple[BlindAnswer, ...] = ()
    declined: tuple[str, ...] = ()
    stopped: str = ""


async def ask_opponents(
    sandbox: Sandbox,
    evidence: Evidence,
    plan: OpponentPlan,
    attacker: ChatModel | None,
    solver: ChatModel | None,
    progress: Callable[[str], None] = lambda text: None,
) -> Said:
    """Ask both, and try what they say. What stops one stops neither what was said before nor the audit.

    Raises:
        MachineError: the engine failed.
    """
    work = _Work(sandbox, evidence, plan, progress)
    for model, ask in ((attacker, work.attack), (solver, work.solve)):
        if model is not None:
            await work.until_stopped(ask(model))
    return replace(work.said, attacker=attacker.name if attacker else "", solver=solver.name if solver else "")


class _Work:
    def __init__(
        self, sandbox: Sandbox, evidence: Evidence, plan: OpponentPlan, progress: Callable[[str], None]
    ) -> None:
        self.sandbox, self.evidence, self.plan, self.progress = sandbox, evidence, plan, progress
        self.shown = shown_cases(evidence, plan.per_level)
        self.said = Said()
        loop = asyncio.get_running_loop()
        self.deadline = None if plan.minutes is None else loop.time() + 60 * plan.minutes

    async def until_stopped(self, work: Awaitable[None]) -> None:
        """Do it; budget, provider and time end it, and are kept as the reason."""
        try:
            async with asyncio.timeout_at(self.deadline):
                await work
        except TimeoutError:
            self._stop("its minutes are used up")
        except (BudgetError, ProviderError) as error:
            self._stop(f"{error.asked}: {error.found}")

    def _stop(self, reason: str) -> None:
        self.said = replace(self.said, stopped=self.said.stopped or escaped(reason, MAX_WHY_CHARS))

    async def attack(self, model: ChatModel) -> None:
        """From outside, then with the source and with what came of the first claims."""
        self.progress("an attacker that sees cases only")
        await self._claims(model, "cases only", "(The code is not shown.)")
        before = "\n".join(_line(self.shown, item) for item in self.said.claims) or "(none)"
        self.progress("an attacker that reads the source")
        source = prompt("attack_source", tried=fenced("tried", before), files=code_text(self.evidence.folder))
        await self._claims(model, "with the source", source)

    async def _claims(self, model: ChatModel, stage: str, source: str) -> None:
        asked = prompt("attack", cases=cases_text(self.shown), source=source, most=str(self.plan.claims))
        request = ChatRequest((Message("system", prompt("helper")), Message("user", asked)), self.plan.tokens)
        found = await ask_for(model, request, Claims, _correction)
        if found.value is None:
            self.said = replace(self.said, declined=(*self.said.declined, stage))
            return
        usable: dict[tuple[int, str], Claim] = {}
        for claim in found.value.claims:
            if 0 <= claim.case < len(self.shown) and len(claim.response) <= MAX_RESPONSE_CHARS:
                usable.setdefault((claim.case, claim.response), claim)
        chosen = list(usable.values())[: self.plan.claims]
        scored = await self._tried([(self.shown[claim.case], claim.response) for claim in chosen], "attacker")
        made = (
            TriedClaim(self.shown[claim.case], claim.claim, escaped(claim.why, MAX_WHY_CHARS), stage, item)
            for claim, item in zip(chosen, scored, strict=True)
        )
        self.said = replace(self.said, claims=(*self.said.claims, *made))

    async def solve(self, model: ChatModel) -> None:
        """Prompts alone, one after the other: lowest levels first."""
        for item in self.shown[: self.plan.blind]:
            self.progress(f"a blind solver, level {item.case.level}")
            messages = (Message("system", prompt("blind")), Message("user", item.prompt))
            reply = await model.chat(ChatRequest(messages, self.plan.tokens))
            if reply.stop is StopReason.REFUSAL:
                self.said = replace(self.said, declined=(*self.said.declined, "blind"))
                continue
            [scored] = await self._tried([(item, reply.text[:MAX_RESPONSE_CHARS])], "blind solver")
            answer = BlindAnswer(item, missing_fact(reply.text), scored)
            self.said = replace(self.said, blind=(*self.said.blind, answer))

    async def _tried(self, pairs: Sequence[tuple[Shown, str]], kind: str) -> list[Scored]:
        def run() -> list[Scored]:
            limits = job_limits(self.evidence.task)
            with self.sandbox.box(self.evidence.folder.sources, limits) as box:
                return [tried(box, item, response, kind) for item, response in pairs]

        return await asyncio.to_thread(run) if pairs else []


def missing_fact(reply: str) -> str:
    """What a blind solver says is missing, or ""."""
    for found in _MISSING.findall(reply[:MAX_RESPONSE_CHARS]):
        return "" if _NOTHING.fullmatch(found) else escaped(found.strip(), MAX_WHY_CHARS)
    return ""


def _correction(reason: str) -> str:
    return prompt("correct", complaint=fenced("complaint", escaped(reason, MAX_COMPLAINT_CHARS)))


def _line(shown: Sequence[Shown], item: TriedClaim) -> str:
    place = next(n for n, one in enumerate(shown) if one.case is item.shown.case)
    response = escaped(item.scored.probe.response, 300)
    return f"case {place}: {response} – claimed {item.claim}; came out as {describe(item.scored.score)}"
