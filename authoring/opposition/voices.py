"""The calls that opponents, attackers and blind solvers are asked with. Each goes through its role's booked model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from authoring.context import AuthoringContext
from authoring.drafts import DraftProblem
from authoring.opposition.claims import Claim, Claims
from authoring.opposition.exhibits import Exhibit, Tried, shown_text
from authoring.opposition.second import STANDS, read_second
from authoring.prompts import Prompts, fenced
from authoring.roles import BookedModel, Call, Role, together
from bootcamp_kit.folder import TaskFolder
from chat_models.protocol import ChatReply, ChatRequest, Message, StopReason
from chat_models.structured import ask_for
from sandbox.escaping import escaped

CASES_FOR_SECOND = 3
CASES_FOR_ATTACK = 4
MAX_COMPLAINT_CHARS = 500
MAX_SHOWN_AGAIN = 60_000
DISAGREEMENTS_SHOWN = 5
MAX_RESPONSE_SHOWN = 1_500


@dataclass(frozen=True, slots=True)
class Matter:
    """What is being judged: a candidate, what it shows of itself, and in whose words it was ordered.

    Attributes:
        brief: The brief as models see it.
        specification: The analyst's, as text; "" for none.
        label: Beginning of the transcripts' names.
    """

    brief_id: str
    brief: str
    specification: str
    folder: TaskFolder
    shown: Sequence[Exhibit]
    label: str

    @property
    def fenced_specification(self) -> str:
        """The specification between fences, or words for none."""
        return fenced("specification", self.specification) if self.specification else "(no specification was written)"


class Voices:
    """The three kinds of opponent, asked about one matter."""

    def __init__(self, matter: Matter, context: AuthoringContext) -> None:
        self.matter, self.context, self.prompts = matter, context, Prompts()
        self._second = self._model(Role.OPPONENT, "second")
        self._attacker = self._model(Role.ATTACKER, "attack")
        self._conversation: tuple[Message, ...] = ()

    async def second(self) -> str:
        """The second judge's code, or "" when two replies held none."""
        matter = self.matter
        asked = self.prompts.fill(
            "second",
            brief=fenced("brief", matter.brief),
            specification=matter.fenced_specification,
            cases=shown_text(matter.shown, spread(len(matter.shown), CASES_FOR_SECOND)),
        )
        self._conversation = (Message("system", self.prompts.helper), Message("user", asked))
        reply = await self._ask_second()
        try:
            return read_second(reply)
        except DraftProblem as problem:
            if reply.stop is StopReason.REFUSAL:
                return ""
            complaint = fenced("complaint", escaped(str(problem), MAX_COMPLAINT_CHARS))
            self._say(self.prompts.fill("correct_form", complaint=complaint))
        try:
            return read_second(await self._ask_second())
        except DraftProblem:
            return ""

    async def reconsider(self, items: Sequence[Tried]) -> str | None:
        """The second judge mended after it saw disagreements; None when its author stands by it."""
        text = "\n\n".join(self._disagreement(item) for item in items[:DISAGREEMENTS_SHOWN])
        self._say(self.prompts.fill("reconsider", disagreements=fenced("disagreements", text)))
        reply = await self._ask_second()
        if STANDS in reply.text and "=== FILE" not in reply.text:
            return None
        try:
            return read_second(reply)
        except DraftProblem:
            return None

    async def attack(self, tried: Sequence[Tried] | None) -> list[Claim]:
        """An attacker's claims: from outside, or with the source when the first claims were tried."""
        matter, most = self.matter, self.context.settings.attacks
        source = "(The task's code is not shown.)"
        if tried is not None:
            source = self.prompts.fill(
                "attack_source", tried=fenced("tried", _tried_text(tried)), files=fenced("files", _code(matter.folder))
            )
        asked = self.prompts.fill(
            "attack",
            brief=fenced("brief", matter.brief),
            specification=matter.fenced_specification,
            cases=shown_text(matter.shown, spread(len(matter.shown), CASES_FOR_ATTACK)),
            source=source,
            most=str(most),
        )
        found = await ask_for(self._attacker, self._request(self._opening(asked)), Claims, self._correction)
        return found.value.usable(len(matter.shown), most) if found.value else []

    async def blind(self, places: Sequence[int]) -> list[ChatReply]:
        """What solvers reply who see nothing but the prompt."""
        solvers = self.context.helpers.solvers

        async def solve(number: int, place: int) -> ChatReply:
            model = self.context.helpers.bound(
                solvers[number % len(solvers)],
                Call(Role.SOLVER, self.matter.brief_id, f"{self.matter.label}-blind-{place}"),
                self.context.run,
            )
            exercise = Message("user", self.matter.shown[place].prompt)
            request = ChatRequest(
                (Message("system", self.prompts.fill("blind")), exercise), self.context.settings.solver_tokens
            )
            return await model.chat(request)

        return await together(solve(number, place) for number, place in enumerate(places))

    def _model(self, role: Role, name: str) -> BookedModel:
        helpers = self.context.helpers
        model = helpers.opponent if role is Role.OPPONENT else helpers.attacker
        return helpers.bound(model, Call(role, self.matter.brief_id, f"{self.matter.label}-{name}"), self.context.run)

    async def _ask_second(self) -> ChatReply:
        reply = await self._second.chat(self._request(self._conversation))
        said = escaped(reply.text, MAX_SHOWN_AGAIN) if reply.text.strip() else "(nothing)"
        self._conversation = (*self._conversation, Message("assistant", said))
        return reply

    def _say(self, text: str) -> None:
        self._conversation = (*self._conversation, Message("user", text))

    def _opening(self, asked: str) -> tuple[Message, ...]:
        return (Message("system", self.prompts.helper), Message("user", asked))

    def _request(self, messages: tuple[Message, ...]) -> ChatRequest:
        return ChatRequest(messages, self.context.settings.max_reply_tokens)

    def _correction(self, reason: str) -> str:
        complaint = fenced("complaint", escaped(reason, MAX_COMPLAINT_CHARS))
        return self.prompts.fill("correct_form", complaint=complaint)

    def _disagreement(self, item: Tried) -> str:
        case, score = self.matter.shown[item.place].case, item.judged.score
        theirs = f"{'right' if item.accepted else 'wrong'} ({score.reason})" if score else "no score"
        return (
            f"case {item.place} (level {case.level})\ndata: {_payload(self.matter.shown[item.place])}\n"
            f"prompt:\n{self.matter.shown[item.place].prompt[:MAX_RESPONSE_SHOWN]}\n"
            f"response: {escaped(item.response, MAX_RESPONSE_SHOWN)}\n"
            f"the other author's verdict: {escaped(theirs, 300)}\n"
            f"yours: {'wrong' if item.accepted else 'right'}"
        )


def spread(total: int, wanted: int) -> list[int]:
    """Places spread evenly over all, the first and the last among them."""
    if total <= wanted:
        return list(range(total))
    return sorted({round(step * (total - 1) / max(1, wanted - 1)) for step in range(wanted)})


def _payload(item: Exhibit) -> str:
    import json

    return json.dumps(item.case.payload, ensure_ascii=False)[:MAX_RESPONSE_SHOWN]


def _tried_text(tried: Sequence[Tried]) -> str:
    lines = [
        f"case {item.place}: {escaped(item.response, 300)} – claimed {item.claim}; it scored "
        + (f"{item.judged.score.value}" if item.judged.score else "nothing: the verifier failed")
        for item in tried
    ]
    return "\n".join(lines) or "(none)"


def _code(folder: TaskFolder) -> str:
    return "\n\n".join(
        f"=== {name} ===\n{folder.files[name].decode('utf-8', 'replace')}" for name in ("card.toml", "bootcamp.py")
    )
