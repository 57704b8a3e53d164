"""The node that has a brief taken apart before anybody writes code for it."""

from __future__ import annotations

from langgraph.runtime import Runtime

from authoring.context import AuthoringContext
from authoring.model_author import brief_text
from authoring.nodes.good_order import in_good_order
from authoring.prompts import Prompts, fenced
from authoring.roles import Call, Role
from authoring.specification import Specification
from authoring.state import BriefState, SpecificationUpdate
from bootcamp_kit.brief import Brief
from bootcamp_kit.errors import MachineError, ProviderError
from chat_models.errors import EndpointRefused
from chat_models.protocol import ChatRequest, Message
from chat_models.structured import Structured, ask_for
from sandbox.escaping import escaped

MAX_REASON_CHARS = 400


@in_good_order
async def analyse(state: BriefState, runtime: Runtime[AuthoringContext]) -> SpecificationUpdate:
    """Ask the analyst. A specification helps and is not needed: without a usable one the brief goes on as it is.

    Raises:
        EndpointRefused: no call would succeed.
        BudgetError: the run's limit is reached.
    """
    context = runtime.context
    brief = context.run.artefacts.brief(state["brief"])
    context.tell(brief.id, None, "analyse", "started")
    try:
        found = await _ask(brief, context)
    except EndpointRefused:
        raise
    except ProviderError as error:
        context.tell(brief.id, None, "analyse", "unusable", str(error))
        return {"specification": ""}
    if found.value is None:
        context.tell(brief.id, None, "analyse", "unusable", escaped(found.reason, MAX_REASON_CHARS))
        return {"specification": ""}
    name = put_specification(found.value, context)
    context.tell(brief.id, None, "analyse", "specified", name, {"corrected": int(found.corrected)})
    return {"specification": name}


async def _ask(brief: Brief, context: AuthoringContext) -> Structured[Specification]:
    prompts, roles = Prompts(), context.helpers
    asked = prompts.fill("analyse", brief=fenced("brief", brief_text(brief)))
    request = ChatRequest(
        (Message("system", prompts.helper), Message("user", asked)), context.settings.max_reply_tokens
    )
    model = roles.bound(roles.analyst, Call(Role.ANALYST, brief.id, f"{brief.id}-analyse"), context.run)
    return await ask_for(
        model,
        request,
        Specification,
        lambda reason: prompts.fill("correct_form", complaint=fenced("complaint", escaped(reason, MAX_REASON_CHARS))),
    )


def put_specification(specification: Specification, context: AuthoringContext) -> str:
    """Store it; returns its hash."""
    context.run.artefacts.put_record(f"specification-{specification.hash}", specification.model_dump())
    return specification.hash


def specification_text(name: str, context: AuthoringContext) -> str:
    """The stored specification as a model is shown it, or "".

    Raises:
        MachineError: it is not there any more.
    """
    if not name:
        return ""
    raw = context.run.artefacts.record(f"specification-{name}")
    if raw is None:
        raise MachineError(f"reading specification {name}", "it is gone", "start a new run")
    import json

    return json.dumps(raw, indent=1, ensure_ascii=False)
