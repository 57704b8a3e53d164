"""Models that an audit asks: who plays which part, and how their calls are booked and limited."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bootcamp_cli.authors import open_ledger, require_usable
from bootcamp_cli.roles import model_options
from bootcamp_cli.tracing import traced_model
from bootcamp_kit.jsondata import digest

if TYPE_CHECKING:
    from bootcamp_cli.settings_model import Settings
    from chat_models.cache import CachedModel
    from chat_models.protocol import ChatModel
    from evaluation.opponents.asked import Said
    from sandbox.audit.audit import Audit
    from sandbox.service import Sandbox


@dataclass(frozen=True, slots=True)
class Opponents:
    """Who is asked. The budget of the settings holds for all tasks of one command, and of its resumption, together.

    Attributes:
        attacker, solver: ``PROVIDER:MODEL`` or None.
        minutes: For each task; None waits.
    """

    attacker: str | None = None
    solver: str | None = None
    minutes: float | None = None

    def require_usable(self) -> None:
        """Say now that a model cannot be used.

        Raises:
            UsageError: no such provider, or its key is missing.
        """
        for spec in {self.attacker, self.solver} - {None}:
            require_usable(str(spec))

    @property
    def key(self) -> str:
        """What an audit depends on beside task, plan and policy; "" where no model is asked."""
        if not (self.attacker or self.solver):
            return ""
        from evaluation.opponents.asked import OpponentPlan
        from evaluation.opponents.matter import prompts_hash

        return f"{self.attacker} {self.solver} {OpponentPlan()} {prompts_hash()}"

    def run_id(self, content_hashes: Sequence[str]) -> str:
        """The run that calls are booked on: the same tasks and models are one run, however often it is resumed."""
        return f"audit-{digest(' '.join([*sorted(content_hashes), self.key]).encode())[:12]}"


def oppose(
    settings: Settings,
    sandbox: Sandbox,
    audit: Audit,
    opponents: Opponents,
    run_id: str,
    progress: Callable[[str], None],
) -> Audit:
    """The audit with what the models found.

    Raises:
        MachineError: engine or call store failed.
    """
    from evaluation.opponents.judged import judge_opponents
    from sandbox.audit.rules import audit_policy

    if not opponents.key or not audit.evidence.right:
        return audit
    said = asyncio.run(_ask(settings, sandbox, audit, opponents, run_id, progress))
    rows = judge_opponents(audit.evidence, said, audit_policy())
    return replace(audit, report=replace(audit.report, results=(*audit.report.results, *rows)))


def _opened(settings: Settings, spec: str) -> ChatModel:
    from chat_models.providers import open_model

    return open_model(spec, environ=os.environ, options=model_options(settings))


async def _ask(
    settings: Settings,
    sandbox: Sandbox,
    audit: Audit,
    opponents: Opponents,
    run_id: str,
    progress: Callable[[str], None],
) -> Said:
    from chat_models.cache import CachedModel
    from evaluation.opponents.asked import OpponentPlan, ask_opponents

    with closing(open_ledger(settings, run_id)) as ledger:
        opened: dict[str, CachedModel] = {}

        def model(spec: str | None, role: str) -> CachedModel | None:
            if spec is None:
                return None
            if spec not in opened:
                opened[spec] = CachedModel(traced_model(_opened(settings, spec), settings), ledger)
            return opened[spec].labelled(role=role, brief_id=audit.report.task_id)

        plan = OpponentPlan(minutes=opponents.minutes)
        attacker, solver = model(opponents.attacker, "attacker"), model(opponents.solver, "solver")
        try:
            return await ask_opponents(sandbox, audit.evidence, plan, attacker, solver, progress)
        finally:
            for one in opened.values():
                await one.close()
