"""What opens on top of an item: text to read, a pair to judge, a case to answer, a reason to give."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static, TextArea
from textual.widgets.option_list import Option

from review.case_page import trial_page
from review.item import QueueItem
from review.pair import Pair
from review.rich_text import word
from review.session import Session
from review.trial import Trial
from review.visible import visible

if TYPE_CHECKING:
    from rich.console import RenderableType

    from review.app.app import ReviewApp

MAX_PROMPT, MAX_ANSWER = 20_000, 4_000
CLOSE = Binding("escape", "close", "close")


class ReadDialog(ModalScreen[None]):
    """Something to read; scrolls."""

    BINDINGS: ClassVar[list[BindingType]] = [CLOSE, Binding("q", "close", show=False)]

    def __init__(self, title: str, body: RenderableType) -> None:
        super().__init__()
        self._title, self._body = title, body

    def compose(self) -> ComposeResult:
        """Title and body."""
        with Vertical(classes="dialog"):
            yield Static(word(f"{self._title}   (escape closes)", "bold"))
            with VerticalScroll(id="body"):
                yield Static(self._body)

    def on_mount(self) -> None:
        """Arrow keys scroll."""
        self.query_one("#body").focus()

    def action_close(self) -> None:
        """Back to the item."""
        self.dismiss()


class PairDialog(ModalScreen[None]):
    """A case and two answers: the person says which is right, then is told."""

    BINDINGS: ClassVar[list[BindingType]] = [
        CLOSE,
        Binding("1", "choose(0)", "1 is right"),
        Binding("2", "choose(1)", "2 is right"),
    ]

    def __init__(self, pair: Pair, judge: Callable[[int], bool]) -> None:
        super().__init__()
        self._pair, self._judge, self._told = pair, judge, False

    def compose(self) -> ComposeResult:
        """The prompt, both answers side by side, and what to press."""
        with Vertical(classes="dialog tall"):
            yield Static(word(f"level {self._pair.level}: which answer is right? (press 1 or 2)", "bold"))
            with VerticalScroll(id="body"):
                yield Static(word(visible(self._pair.prompt, at_most=MAX_PROMPT)))
            with Horizontal(classes="answers"):
                for number, response in zip("12", self._pair.responses, strict=True):
                    with VerticalScroll():
                        yield Static(word(f"answer {number}\n{visible(response, at_most=MAX_ANSWER)}"))
            yield Static(id="told")

    def on_mount(self) -> None:
        """Show the end of the prompt, where the instance is; arrow keys scroll."""
        body = self.query_one("#body", VerticalScroll)
        body.focus()
        body.scroll_end(animate=False)

    def action_choose(self, chosen: int) -> None:
        """Record the choice, then tell."""
        if self._told:
            return
        self._told = True
        agreed = self._judge(chosen)
        right = "12"[self._pair.right]
        told = f"The task says {right}, as you do." if agreed else f"You DISAGREE: the task says {right}."
        self.query_one("#told", Static).update(word(f"{told} Escape closes.", "bold"))

    def action_close(self) -> None:
        """Back to the item."""
        self.dismiss()


class ReasonDialog(ModalScreen[str | None]):
    """A reason out of the list, words of one's own, or both."""

    BINDINGS: ClassVar[list[BindingType]] = [CLOSE]

    def __init__(self, verb: str, reasons: Sequence[str]) -> None:
        super().__init__()
        self._verb, self._reasons, self._chosen = verb, reasons, ""

    def compose(self) -> ComposeResult:
        """The list and a line for words."""
        with Vertical(classes="dialog"):
            yield Static(word(f"{self._verb}: why? (enter takes one; tab: your own words; escape: no)", "bold"))
            yield OptionList(*(Option(word(reason)) for reason in self._reasons))
            yield Input(placeholder="your own words, then enter", id="words", compact=True)

    def on_mount(self) -> None:
        """Start in the list."""
        self.query_one(OptionList).focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A reason was taken: more words may follow."""
        self._chosen = self._reasons[event.option_index]
        line = self.query_one("#words", Input)
        line.placeholder = f"{self._chosen}: more words? enter sends"
        line.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Done, when something was said."""
        reason = ": ".join(filter(None, (self._chosen, event.value.strip())))
        if reason:
            self.dismiss(reason)

    def action_close(self) -> None:
        """No decision."""
        self.dismiss(None)


class TryDialog(ModalScreen[None]):
    """A case of any level to answer oneself."""

    BINDINGS: ClassVar[list[BindingType]] = [CLOSE, Binding("ctrl+s", "send", "send", priority=True)]

    def __init__(self, session: Session, item: QueueItem, levels: tuple[int, int]) -> None:
        super().__init__()
        self._session, self._item, self._levels = session, item, levels

    def compose(self) -> ComposeResult:
        """Level and seed, the case, an answer, the verdict."""
        low, high = self._levels
        with Vertical(classes="dialog tall"):
            yield Static(word(f"try: level {low}-{high} and seed, enter; then answer, ctrl+s sends", "bold"))
            yield Input(value=f"{low} 0", id="which", compact=True)
            with VerticalScroll(id="body"):
                yield Static(id="case")
            yield TextArea(id="answer")
            yield Static(id="verdict")

    def on_mount(self) -> None:
        """Show the first case."""
        self.query_one("#which", Input).focus()

    @property
    def _app(self) -> ReviewApp:
        return cast("ReviewApp", self.app)

    def _which(self) -> tuple[int, int] | None:
        parts = self.query_one("#which", Input).value.split()
        if len(parts) == 2 and all(part.isdecimal() and len(part) < 12 for part in parts):
            return int(parts[0]), int(parts[1])
        self.say("write a level and a seed, e.g. 2 0")
        return None

    def say(self, text: str) -> None:
        """The line below the answer."""
        self.query_one("#verdict", Static).update(word(text))

    def on_input_submitted(self, _event: Input.Submitted) -> None:
        """Make the case."""
        which = self._which()
        if which:
            self._app.in_sandbox(
                f"making a case at level {which[0]}", lambda: self._session.trial(self._item, *which), self._show_case
            )

    def _show_case(self, shown: Trial) -> None:
        if not self.is_mounted:
            return
        self.query_one("#case", Static).update(trial_page(shown))
        self.query_one("#body", VerticalScroll).scroll_end(animate=False)
        self.query_one("#verdict", Static).update("")
        self.query_one("#answer", TextArea).focus()

    def action_send(self) -> None:
        """Score the answer; the tags are added when they are left out."""
        which, text = self._which(), self.query_one("#answer", TextArea).text
        if which:
            response = text if "<answer>" in text else f"<answer>{text}</answer>"
            self._app.in_sandbox(
                "scoring your answer",
                lambda: self._session.trial(self._item, *which, response),
                self._show_verdict,
            )

    def _show_verdict(self, tried: Trial) -> None:
        if self.is_mounted:
            self.query_one("#verdict", Static).update(trial_page(tried, prompt=False))

    def action_close(self) -> None:
        """Back to the item."""
        self.dismiss()
