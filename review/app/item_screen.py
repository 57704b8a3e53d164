"""One item on the full screen."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.events import Resize
from textual.screen import Screen
from textual.widgets import Footer, Header, Static

from bootcamp_kit.decision import Choice
from review import difference
from review.app.dialogs import PairDialog, ReadDialog, ReasonDialog, TryDialog
from review.decide import told_afterwards
from review.item import QueueItem
from review.pair import Pair
from review.present import code_page, first_page
from review.rich_text import grid, word
from review.session import REASONS, Opened, Session, outer_levels
from review.worst import Rerun, Row

if TYPE_CHECKING:
    from rich.console import RenderableType

    from review.app.app import ReviewApp

_DONE = {"approved": "approved", "rejected": "rejected", "returned": "returned", "queued": "first of two approvals"}
KEYS_WIDTH = 86
"""So wide are all keys in one line; what is narrower gets them in as many as it takes."""
KEYS = "1 2 3 again  e h pair  t try  c code  d diff  a approve  x reject  r return  u undo  esc list"
KEYS = "  ".join(words.replace(" ", "\N{NO-BREAK SPACE}") for words in KEYS.split("  "))
"""A key is not torn from its word."""


class ItemScreen(Screen[None]):
    """The first page, and a key for everything one can do with the item."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("1", "evidence(0)", "again", key_display="1 2 3"),
        Binding("2", "evidence(1)", show=False),
        Binding("3", "evidence(2)", show=False),
        Binding("e", "pair(0)", "pair", key_display="e h"),
        Binding("h", "pair(1)", show=False),
        Binding("t", "try", "try"),
        Binding("c", "code", "code"),
        Binding("d", "difference", "diff"),
        Binding("a", "approve", "approve"),
        Binding("x", "turn_down('reject')", "reject"),
        Binding("r", "turn_down('return')", "return"),
        Binding("u", "undo", "undo"),
        Binding("escape", "leave", "list"),
    ]

    def __init__(self, session: Session, opened: Opened) -> None:
        super().__init__()
        self._session, self._item, self._note, self._lines = session, opened.item, opened.note, opened.context

    @property
    def _app(self) -> ReviewApp:
        return cast("ReviewApp", self.app)

    def compose(self) -> ComposeResult:
        """The page, one line of what just happened, keys."""
        yield Header(icon=" ")
        with VerticalScroll(id="page"):
            yield Static(id="item")
        yield Static(id="status")
        yield Static(id="keys")
        yield Footer(compact=True)

    def on_mount(self) -> None:
        """Draw the page."""
        self._draw(self._item, self._note)
        self.query_one("#page").focus()

    def on_resize(self, event: Resize) -> None:
        """Show all keys whatever the width."""
        width = event.size.width
        self.set_class(width < KEYS_WIDTH, "-narrow")
        self.query_one("#keys", Static).update("\n".join(wrap(KEYS, max(width, 1))))

    def _draw(self, item: QueueItem, said: str) -> None:
        self._show(item)
        self.say(said)

    def _show(self, item: QueueItem) -> None:
        self._item = item
        told, reader = self._session.told(item), self._session.reviewer
        self.query_one("#item", Static).update(first_page(item, self._lines, told=told, reader=reader))

    def say(self, text: str) -> None:
        """The line below the page."""
        self.query_one("#status", Static).update(word(text))

    def action_evidence(self, place: int) -> None:
        """Run one of the three worst rows again."""
        row = self._session.rows(self._item)[place]
        if not row.runnable:
            self.say(f"{row.title}: {row.text}; there is nothing to run")
            return
        self._app.in_sandbox(
            f"running the {row.title} again",
            lambda: self._session.rerun(self._item, row),
            lambda again: self._show_rerun(row, again),
        )

    def _show_rerun(self, row: Row, again: Rerun) -> None:
        table = grid(2)
        for label, text in again.steps:
            table.add_row(word(label, "bold"), word(text))
        said = f"{row.title}: {again.words}"
        self.say(said)
        self._read(said, table)

    def action_pair(self, place: int) -> None:
        """Judge an easy or a hard case blind."""
        levels = self._app.attempt(lambda: outer_levels(self._item))
        if levels is not None:
            level = levels[place]
            self._app.in_sandbox(
                f"making a case at level {level}", lambda: self._session.pair(self._item, level), self._show_pair
            )

    def _show_pair(self, pair: Pair) -> None:
        if pair.problem:
            self.say(f"no pair at level {pair.level}: {pair.problem}")
            return

        def judge(chosen: int) -> bool:
            agreed = self._session.judge(self._item, pair, chosen)
            self._draw(self._item, f"level {pair.level}: you and the task {'agree' if agreed else 'DISAGREE'}")
            return agreed

        self.app.push_screen(PairDialog(pair, judge))

    def action_try(self) -> None:
        """Answer a case oneself."""
        levels = self._app.attempt(lambda: outer_levels(self._item))
        if levels is not None:
            self.app.push_screen(TryDialog(self._session, self._item, levels))

    def action_code(self) -> None:
        """Read the files."""
        self._session.note(self._item, "code")
        self._read("files", code_page(self._item))

    def action_difference(self) -> None:
        """Read what changed since what was reviewed before, or the distance to the nearest task."""
        before = self._app.attempt(lambda: self._session.before(self._item))
        if before is None:
            self.say("there is nothing to compare it with: no earlier attempt, no task in the library")
            return
        self._read("difference", difference.page(before, self._item.folder.files))

    def _read(self, title: str, body: RenderableType) -> None:
        self.app.push_screen(ReadDialog(title, body))

    def action_approve(self) -> None:
        """Approve with one key; undo takes it back."""
        if self._too_early():
            return
        self._decide(Choice.APPROVE, "")

    def action_turn_down(self, choice: str) -> None:
        """Reject or return: first the reason."""
        wanted = Choice(choice)
        if self._too_early():
            return

        def given(reason: str | None) -> None:
            if reason:
                self._decide(wanted, reason)

        self.app.push_screen(ReasonDialog(choice, REASONS[wanted]), given)

    def _too_early(self) -> bool:
        """A key meant for what is about to open must not decide anything."""
        early = self._app.covers_soon
        if early:
            self.say("the sandbox is at work: look at what it shows first, then decide")
        return early

    def _decide(self, choice: Choice, reason: str) -> None:
        made = self._app.attempt(lambda: self._session.decide(self._item, choice, reason))
        if made is None:
            self._withdrawn()
        else:
            _, item = made
            told = told_afterwards(item)
            if told:
                self._draw(item, f"this was put there to measure reviewers: {told}; escape goes to the list")
                return
            self._draw(
                item, f"{_DONE.get(item.state.value, item.state.value)}; u takes it back, escape goes to the list"
            )

    def _withdrawn(self) -> None:
        """After a refusal: what is shown may not be how the item stands any more. The reason stays below."""
        now = self._app.attempt(lambda: self._session.queue.item(self._item.content_hash))
        if now is not None and now.state is not self._item.state:
            self._show(now)

    def action_undo(self) -> None:
        """Take the decision back."""
        item = self._app.attempt(lambda: self._session.undo(self._item))
        if item is not None:
            self._draw(item, "taken back; it waits again")

    def action_leave(self) -> None:
        """Back to the list."""
        self._app.attempt(lambda: self._session.leave(self._item.content_hash))
        self.dismiss()
