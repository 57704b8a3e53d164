"""The full-screen review app."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

from textual.app import App
from textual.screen import Screen
from textual.worker import Worker, WorkerFailed, get_current_worker

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
        self.fault: BaseException | None = None
        self._asker: Screen[Any] | None = None

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
        """Whether the sandbox is at work."""
        return any(worker.group == "sandbox" and worker.is_running for worker in self.workers)

    @property
    def covers_soon(self) -> bool:
        """Whether the sandbox is at work for a screen that is still there: its result will cover what is shown."""
        return self.busy and self._awaited(self._asker)

    def in_sandbox(self, what: str, act: Callable[[], T], then: Callable[[T], None]) -> None:
        """Run something slow off the screen's thread; a second request meanwhile is turned away.

        What comes of it belongs to the screen that asks: when that was left, nobody waits for it and it is dropped.
        """
        if self.busy:
            whose = "" if self.covers_soon else " for the screen you left"
            self.notify(f"the sandbox is at work{whose}; one thing at a time", severity="warning", markup=False)
            return
        asker = self._asker = self.screen
        self.sub_title = f"{what} …"

        def work() -> None:
            worker = get_current_worker()
            try:
                result = act()
            except BootcampError as error:
                self._deliver(worker, asker, self.refused, error)
            else:
                self._deliver(worker, asker, then, result)

        self.run_worker(work, thread=True, group="sandbox", exit_on_error=True)

    def _deliver(self, worker: Worker[Any], asker: Screen[Any], then: Callable[[T], None], result: T) -> None:
        """Give a result to the screen that asked, on the screen's thread, where it can be seen whether it is there."""

        def give() -> None:
            self.sub_title = ""
            if self._awaited(asker):
                then(result)

        if not worker.is_cancelled:
            self.call_from_thread(give)

    def _awaited(self, asker: Screen[Any] | None) -> bool:
        return asker in self.screen_stack

    def _handle_exception(self, error: Exception) -> None:
        """A fault of this program ends the app; `sit` raises it, so that it is told as that of any other command.

        Textual's own account of it holds the values of variables, which may be a candidate's text.
        """
        super()._handle_exception(error)
        self._exit_renderables.clear()
        self.fault = self.fault or (error.error if isinstance(error, WorkerFailed) else error)


def sit(session: Session, wanted: Filter, **options: Any) -> None:
    """A whole sitting on the full screen; ``options`` are those of Textual's ``App.run``.

    Raises:
        Exception: the fault that ended it.
    """
    app = ReviewApp(session, wanted)
    app.run(**options)
    if app.fault is not None:
        raise app.fault
