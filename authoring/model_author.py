"""A model as an author: one call per turn, its reply read by ``drafts.py``, every call kept as a transcript."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from authoring.author import Assignment, Draft, Refused, Unusable
from authoring.draft_contract import assemble
from authoring.drafts import ASKED_FOR, DraftProblem, changed_files, read_files, require_all
from authoring.prompts import Prompts, fenced
from authoring.roles import Role, labelled, transcript
from authoring.settings import MOST_CANDIDATES, AuthoringSettings
from authoring.witnesses import describe
from bootcamp_kit.brief import Brief
from bootcamp_kit.candidate import Candidate, Lineage
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.report import Finding
from chat_models.errors import ContextOverflow
from chat_models.protocol import ChatModel, ChatReply, ChatRequest, Message, StopReason
from sandbox.escaping import escaped

MAX_SAMPLES = 5
MAX_SAMPLE_CHARS = 4_000
MAX_SOLUTION_CHARS = 40_000
MAX_WRONG = 3
MAX_WRONG_CHARS = 4_000
MAX_REPLY_SHOWN_AGAIN = 60_000
MAX_REASON_CHARS = 2_000


class ModelAuthor:
    """Writes and mends tasks with chat models. Hand it caching models, so that a resumed run pays nothing twice.

    Args:
        model: Writes every candidate, or the first of them.
        settings: The run's numbers.
        others: Where several models are to write: candidate ``i`` is the ``i``-th model's, in turn.
    """

    deterministic = False

    def __init__(self, model: ChatModel, settings: AuthoringSettings, others: Sequence[ChatModel] = ()) -> None:
        self.model, self.settings = model, settings
        self.models = (model, *others)
        self.prompts = Prompts()

    @property
    def name(self) -> str:
        """``PROVIDER:MODEL``, several divided by ``+``."""
        return "+".join(model.name for model in self.models)

    def model_of(self, work: Assignment) -> ChatModel:
        """Who writes this candidate."""
        return self.models[work.index % len(self.models)]

    def temperature_of(self, work: Assignment) -> float | None:
        """At which temperature; None leaves it to the provider."""
        temperatures = self.settings.temperatures
        return temperatures[work.index // len(self.models) % len(temperatures)] if temperatures else None

    async def draft(self, work: Assignment) -> Draft:
        """See :class:`authoring.author.Author`."""
        specified = ""
        if work.specification:
            shown = fenced("specification", work.specification)
            specified = self.prompts.fill("specified", specification=shown) + "\n\n"
        asked = self.prompts.fill("draft", brief=fenced("brief", brief_text(work.brief)), specified=specified)

        def read(reply: ChatReply) -> Candidate:
            files = read_files(reply)
            require_all(files, reply.stop)
            folder = assemble(files, work.brief, author=self.model_of(work).name)
            return Candidate(folder, self._lineage(work))

        return await self._turn(work, asked, read)

    async def repair(self, work: Assignment, candidate: Candidate, findings: Sequence[Finding], reason: str) -> Draft:
        """See :class:`authoring.author.Author`."""
        asked = self.prompts.fill(
            "repair",
            brief=fenced("brief", brief_text(work.brief)),
            files=fenced("files", _files_text(candidate.folder)),
            findings=fenced("findings", describe(findings, at_most=self.settings.findings_shown)),
            reviewer=fenced("reviewer", escaped(reason, MAX_REASON_CHARS)) if reason else "(no reviewer has spoken)",
        )

        def read(reply: ChatReply) -> Candidate:
            files = changed_files(read_files(reply, _file_names(candidate.folder)), candidate.folder)
            folder = assemble(files, work.brief, author=self.model_of(work).name, base=candidate.folder)
            return Candidate(folder, self._lineage(work, parent=candidate))

        return await self._turn(work, asked, read)

    async def close(self) -> None:
        """See :class:`authoring.author.Author`."""
        for model in self.models:
            await model.close()

    async def _turn(self, work: Assignment, asked: str, read: Callable[[ChatReply], Candidate]) -> Draft:
        messages = [Message("system", self.prompts.system), Message("user", asked)]
        if work.complaint:
            before = work.run.transcript(_transcript(work, work.number - 1))["reply"]
            messages += [
                Message("assistant", escaped(before, MAX_REPLY_SHOWN_AGAIN) or "(nothing)"),
                Message("user", self.prompts.fill("correct", complaint=fenced("complaint", work.complaint))),
            ]
        request = ChatRequest(
            tuple(messages), self.settings.max_reply_tokens, self.temperature_of(work), nonce=_sample(work)
        )
        try:
            reply = await self._booked(work).chat(request)
        except ContextOverflow as error:
            do = "shorten the brief, or lower max_reply_tokens"
            return Refused("context", f"longer than the model can read: {escaped(error.found, 300)}; {do}")
        self._keep_transcript(work, request, reply)
        if reply.stop is StopReason.REFUSAL:
            return Refused("model", "it declined" + (f": {escaped(reply.text, 300)}" if reply.text.strip() else ""))
        try:
            return read(reply)
        except DraftProblem as problem:
            return Unusable(escaped(str(problem), 500))

    def _booked(self, work: Assignment) -> ChatModel:
        """The model with its calls booked on this brief, where there is a ledger."""
        return labelled(self.model_of(work), Role.AUTHOR, work.brief.id)

    def _keep_transcript(self, work: Assignment, request: ChatRequest, reply: ChatReply) -> None:
        work.run.put_transcript(
            _transcript(work, work.number), transcript(request, reply, asked=self.model_of(work).name)
        )

    def _lineage(self, work: Assignment, *, parent: Candidate | None = None) -> Lineage:
        return Lineage(
            author=self.model_of(work).name,
            brief_hash=work.brief.hash,
            attempt=parent.lineage.attempt + 1 if parent else 1,
            index=work.index,
            parent=parent.content_hash if parent else "",
            prompts=self.prompts.hashes,
            run=work.run.run_id,
        )


def brief_text(brief: Brief) -> str:
    """A brief as the model sees it: title, text, first samples, reference solution, wrong submissions."""
    parts = [f"Title: {brief.title}", brief.text]
    for number, sample in enumerate(brief.samples[:MAX_SAMPLES], 1):
        parts.append(f"Sample input {number}:\n{_cut(sample.input, MAX_SAMPLE_CHARS)}")
        parts.append(f"Sample output {number}:\n{_cut(sample.output, MAX_SAMPLE_CHARS)}")
    if brief.solution:
        code = _cut(brief.solution.code, MAX_SOLUTION_CHARS)
        parts.append(f"Reference solution ({brief.solution.language}):\n{code}")
    for number, wrong in enumerate(brief.wrong[:MAX_WRONG], 1):
        code = _cut(wrong.code, MAX_WRONG_CHARS)
        parts.append(
            f"Submission {number} known to be wrong ({wrong.language}); reject what it answers beside:\n{code}"
        )
    if brief.judge:
        parts.append(f"How the source judges an answer: {brief.judge}")
    return "\n\n".join(parts)


def _file_names(folder: TaskFolder) -> tuple[str, ...]:
    """The files that a repair may change: the four of every draft, and the further modules that a task brings."""
    return (*ASKED_FOR, *(path for path in folder.files if path.endswith(".py") and path not in ASKED_FOR))


def _files_text(folder: TaskFolder) -> str:
    parts = []
    for name in _file_names(folder):
        text = folder.files[name].decode("utf-8", "replace").rstrip("\n")
        parts.append(f"=== FILE {name} ===\n{text}\n=== END FILE ===")
    return "\n".join(parts)


def _transcript(work: Assignment, number: int) -> str:
    return f"{work.brief.id}-c{work.index}-t{number}"


def _sample(work: Assignment) -> int:
    """Which sample a turn is: a model that fails twice in the same words is asked the same again, and not the cache."""
    return work.index + MOST_CANDIDATES * (work.number - 1)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[:limit] + "\n[… cut]"
