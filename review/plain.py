"""The sitting as a dialogue of plain lines: for screen readers, slow connections and terminals that cannot do more.

No cursor movement, no colour, no picture made of characters; one word is one command.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from bootcamp_kit.counted import counted
from bootcamp_kit.decision import Choice
from bootcamp_kit.errors import BootcampError
from review import difference, since
from review.alarms import alarms
from review.case_page import MAX_PROMPT_CHARS
from review.decide import told_afterwards
from review.item import QueueItem
from review.listing import Filter
from review.measures import verdict_strip
from review.opinions import seen, split, waiting
from review.present import MAX_CODE_CHARS, MAX_RULE_CHARS
from review.risk import word as risk_word
from review.session import REASONS, Session, outer_levels
from review.visible import one_line, visible

if TYPE_CHECKING:
    from review.trial import Trial

T = TypeVar("T")
HELP = (
    "1, 2, 3: run that row of evidence again. easy, hard: judge a pair of answers. try LEVEL SEED: answer a case. "
    "rule, code, diff: read. approve, reject, return: decide. undo: take it back. list: the list. quit."
)
ROWS = 50


class Plain:
    """A sitting over two streams.

    Args:
        session: The sitting; the caller closes it.
        wanted: What the list shows.
        ask: Gives the next line a person typed, after a question; raises EOFError at the end.
        tell: Prints a line.
    """

    def __init__(
        self, session: Session, wanted: Filter, ask: Callable[[str], str], tell: Callable[[str], None]
    ) -> None:
        self._session, self._wanted, self._ask, self._tell = session, wanted, ask, tell

    def run(self) -> None:
        """Until ``quit`` or the end of the input."""
        try:
            while self._list():
                pass
        except EOFError:
            self._tell("end of input; nothing is lost")

    def _list(self) -> bool:
        page = self._session.page(self._wanted, ROWS)
        self._tell(counted(page.total, "item") + (f", the first {ROWS}" if page.total > ROWS else ""))
        once = self._session.queue.first_approvals(page.entries)
        for number, entry in enumerate(page.entries, 1):
            half = ", one of two approved it" if entry.content_hash in once else ""
            taken = ", somebody is looking at it" if entry.claimed_by else ""
            self._tell(
                f"{number}: {one_line(entry.title, at_most=60)}, {entry.state}{half}, report {entry.verdict}, "
                f"risk {entry.risk} {risk_word(entry.risk)}{taken}"
            )
        said = self._ask("number, next, or quit: ").strip()
        if said in ("quit", "q"):  # as the full screen's key
            return False
        chosen = None
        if said in ("next", "n"):
            chosen = self._tried(lambda: self._session.next(self._wanted))
            if chosen is None:
                self._tell("nothing waits for you")
        elif said.isdecimal() and 1 <= int(said[:6]) <= len(page.entries):
            chosen = page.entries[int(said) - 1].content_hash
        elif said:
            found = self._tried(lambda: self._session.queue.item(said))  # any name that the commands take
            chosen = found.content_hash if found else None
        return self._item(chosen) if chosen else True

    def _item(self, content_hash: str) -> bool:
        opened = self._tried(lambda: self._session.open(content_hash))
        if opened is None:
            return True
        self._show(opened.item, opened.note)
        while True:
            said = self._ask("command, or help: ").split()
            command = said[0] if said else ""
            if command in ("list", "quit", "q"):
                self._tried(lambda: self._session.leave(content_hash))
                return command == "list"
            self._tried(partial(self._do, opened.item, command, said[1:]))

    def _show(self, item: QueueItem, note: str) -> None:
        self._tell(f"title: {one_line(item.title)}")
        self._tell(f"item: {item.ref}, {item.state}, version {item.version}, made by {one_line(item.author)}")
        self._tell(f"from: {one_line(item.origin, at_most=400)}")
        self._tell(f"risk: {item.risk}, {risk_word(item.risk)}. " + one_line("; ".join(item.risk_reasons), at_most=600))
        for alarm in alarms(item, self._session.reviewer):
            self._tell(one_line(alarm.text, at_most=600))
        for label, text in (*since.lines(item.report), *self._session.context(item)):
            self._tell(f"{label}: {one_line(text, at_most=300)}")
        if note:
            self._tell(f"note: {one_line(note)}")
        item, held = seen(item, self._session.told(item))
        for measure in verdict_strip(item.report):
            self._tell(f"{measure.label}: {measure.status or 'no result'}. {one_line(measure.text, at_most=300)}")
        for number, row in enumerate(self._session.rows(item), 1):
            self._tell(f"evidence {number}, {row.title}: {one_line(row.text, at_most=300)}")
        for finding in item.report.findings[:20]:
            self._tell(f"finding, {finding.severity}: {finding.code}: {one_line(finding.message)}")
        if held:
            self._tell(waiting(held))

    def _do(self, item: QueueItem, command: str, rest: list[str]) -> None:
        if command in ("1", "2", "3"):
            row = self._session.rows(item)[int(command) - 1]
            again = self._session.rerun(item, row)
            self._pairs(again.steps)
            self._tell(again.words)
        elif command in ("easy", "hard"):
            self._pair(item, outer_levels(item)[command == "hard"])
        elif command == "try" and len(rest) == 2 and all(word.isdecimal() and len(word) < 12 for word in rest):
            self._try(item, int(rest[0]), int(rest[1]))
        elif command == "rule":
            self._tell(visible(item.brief.text, at_most=MAX_RULE_CHARS))
            for note in item.brief.notes[:20]:
                self._tell(f"the reader noted: {one_line(note, at_most=300)}")
        elif command == "code":
            self._session.note(item, "code")
            for path, data in item.folder.files.items():
                self._tell(f"file {path}")
                self._tell(visible(data.decode("utf-8", "replace"), at_most=MAX_CODE_CHARS))
        elif command == "diff":
            before = self._session.before(item)
            self._tell(difference.page(before, item.folder.files).plain if before else "nothing to compare it with")
        elif command in ("approve", "reject", "return"):
            self._decide(item, Choice(command))
        elif command == "undo":
            self._tell(f"taken back; it is {self._session.undo(item).state}")
        else:
            self._tell(HELP)

    def _pair(self, item: QueueItem, level: int) -> None:
        pair = self._session.pair(item, level)
        if pair.problem:
            self._tell(f"no pair: {one_line(pair.problem)}")
            return
        self._tell(visible(pair.prompt, at_most=MAX_PROMPT_CHARS))
        for number, response in zip("12", pair.responses, strict=True):
            self._tell(f"answer {number}: {visible(response, at_most=2_000)}")
        said = self._ask("which is right, 1 or 2? ").strip()
        if said in ("1", "2"):
            agreed = self._session.judge(item, pair, int(said) - 1)
            self._tell(f"the task says {pair.right + 1}: you {'agree' if agreed else 'DISAGREE'}")
            for finding in split(item.report)[1] if self._session.told(item) else ():
                self._tell(f"a model's opinion, {finding.severity}: {finding.code}: {one_line(finding.message)}")

    def _try(self, item: QueueItem, level: int, seed: int) -> None:
        shown = self._session.trial(item, level, seed)
        self._tell(visible(shown.prompt or shown.problem, at_most=MAX_PROMPT_CHARS))
        said = self._ask("your answer, one line: ")
        response = said if "<answer>" in said else f"<answer>{said}</answer>"
        self._pairs(_verdict(self._session.trial(item, level, seed, response)))

    def _decide(self, item: QueueItem, choice: Choice) -> None:
        reason = ""
        if choice is not Choice.APPROVE:
            for number, usual in enumerate(REASONS[choice], 1):
                self._tell(f"{number}: {usual}")
            said = self._ask("why? numbers, your own words, or empty for no decision: ").strip()
            usual_reasons = REASONS[choice]
            by_number = said.isdecimal() and 1 <= int(said[:6]) <= len(usual_reasons)
            reason = usual_reasons[int(said) - 1] if by_number else said
            if not reason:
                self._tell("no decision")
                return
        _, now = self._session.decide(item, choice, reason)
        told = told_afterwards(now)
        if told:
            self._tell(f"this was put there to measure reviewers: {told}")
            return
        first = choice is Choice.APPROVE and now.state == "queued"
        self._tell("first of two approvals" if first else f"it is {now.state}; undo takes that back")

    def _pairs(self, pairs: Iterable[tuple[str, str]]) -> None:
        for label, text in pairs:
            self._tell(f"{label}: {text}")

    def _tried(self, act: Callable[[], T]) -> T | None:
        """Do something that may be refused; a refusal is said, and the sitting goes on."""
        try:
            return act()
        except BootcampError as error:
            self._tell(f"refused: {visible(error.found, at_most=600)}")
            if error.do:
                self._tell(f"do: {visible(error.do, at_most=300)}")
            return None


def _verdict(tried: Trial) -> list[tuple[str, str]]:
    if tried.score is None:
        return [("fault of the task", one_line(tried.problem, at_most=1_000))]
    parsed = f"malformed, {one_line(tried.malformed)}" if tried.malformed else one_line(repr(tried.parsed), at_most=500)
    reason = one_line(tried.score.reason, at_most=500)
    return [("parsed", parsed), ("score", f"{tried.score.value:g}, {tried.score.outcome}"), ("reason", reason)]
