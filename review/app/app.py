"""The full-screen review app."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, TypeVar

from textual.app import App
from textual.worker import get_current_worker

from bootcamp_kit.errors import BootcampError
from review.app.list_screen import ListScreen
from review.listing import Filter
from review.session import Session
from review.visible import one_line

T = TypeVar("T")


class ReviewApp(App[None]):
    """The queue on the full screen.

    Args:
        session: The sitting; the caller closes it.
        wanted: What the list shows at first.
    """

    TITLE = "bootcamp review"
    ENABLE_COMMAND_PALETTE = False
    CSS: ClassVar[str] = """
    #status { height: auto; max-height: 4; color: $text-muted; padding: 0 1; }
    #search { display: none; }
    #search.shown { display: block; }
    #page { padding: 0 1; }
    #keys { display: none; height: auto; background: $panel; }
    .-narrow #keys { display: block; }
    .-narrow Footer { display: none; }
    ModalScreen { align: center middle; }
    .dialog { width: 94%; max-width: 120; height: auto; max-height: 94%; border: round $primary; padding: 0 1;
      background: $surface; }
    .dialog VerticalScroll { height: auto; max-height: 1fr; }
    .dialog OptionList { height: auto; max-height: 11; border: none; padding: 0; }
    .tall { height: 94%; }
    .tall #body { height: 1fr; max-height: 100%; }
    .answers { height: 30%; min-height: 5; }
    .answers VerticalScroll { width: 1fr; height: 100%; border: solid $panel; }
    .dialog TextArea { height: 20%; min-height: 3; border: solid $panel; padding: 0; }
    #verdict { height: auto; max-height: 6; }
    """

    def __init__(self, session: Session, wanted: Filter) -> None:
        super().__init__()
        self.session, self.wanted = session, wanted

    def on_mount(self) -> None:
        """Show the list."""
        self.push_screen(ListScreen(self.session, self.wanted))

    def attempt(self, act: Callable[[], T]) -> T | None:
        """Do something that rules, queue or machine may refuse; a refusal is shown, not raised."""
        try:
            return act()
        except BootcampError as error:
            self.refused(error)
            return None

    def refused(self, error: BootcampError) -> None:
        """Show what was refused and what to do: on the screen's own line where it has one, so that it stays."""
        do = f" → {one_line(error.do, at_most=200)}" if error.do else ""
        text = f"{one_line(error.found, at_most=400)}{do}"
        say = getattr(self.screen, "say", None)
        if say is not None:
            say(text)
        else:
            self.notify(text, severity="error", timeout=12, markup=False)

    @property
    def busy(self) -> bool:
        """Whether the sandbox is at work; what is asked of it will cover the screen when it is done."""
        return any(worker.group == "sandbox" and worker.is_running for worker in self.workers)

    def in_sandbox(self, what: str, act: Callable[[], T], then: Callable[[T], None]) -> None:
        """Run something slow off the screen's thread; a second request meanwhile is turned away."""
        if self.busy:
            self.notify("the sandbox is at work; one thing at a time", severity="warning", markup=False)
            return
        self.sub_title = f"{what} …"

        def work() -> None:
            worker = get_current_worker()
            try:
                result = act()
            except BootcampError as error:
                if not worker.is_cancelled:
                    self.call_from_thread(self.refused, error)
            else:
                if not worker.is_cancelled:
                    self.call_from_thread(then, result)
            finally:
                if not worker.is_cancelled:
                    self.call_from_thread(setattr, self, "sub_title", "")

        self.run_worker(work, thread=True, group="sandbox", exit_on_error=True)
