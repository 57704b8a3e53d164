"""The list of items."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, cast

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import DataTable, Footer, Header, Input, Static

from bootcamp_kit.counted import counted
from review.app.item_screen import ItemScreen
from review.list_table import ONCE, state_words
from review.listing import Filter, Page
from review.rich_text import RISK_STYLES, word
from review.risk import word as risk_word
from review.session import Session
from review.visible import one_line

if TYPE_CHECKING:
    from review.app.app import ReviewApp

ROWS = 500


class ListScreen(Screen[None]):
    """The list: riskiest first, the search, and the next item that waits for this person."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "open", show=True),
        Binding("n", "next", "next"),
        Binding("slash", "search", "search"),
        Binding("r", "refresh", "refresh"),
        Binding("q", "quit", "quit"),
        Binding("escape", "clear", "all", show=False),
    ]

    def __init__(self, session: Session, wanted: Filter) -> None:
        super().__init__()
        self._session, self._wanted = session, wanted

    def compose(self) -> ComposeResult:
        """Header, search line, table, status, keys."""
        yield Header(icon=" ")
        yield Input(placeholder="words in id, family, title or author", id="search", compact=True)
        yield DataTable(cursor_type="row", zebra_stripes=True)
        yield Static(id="status")
        yield Footer(compact=True)

    def on_mount(self) -> None:
        """Fill the table."""
        table = self._table
        for name, width in (("risk", 5), ("item", 30), ("state", 12), ("report", 8), ("title", None)):
            table.add_column(name, width=width)
        self.action_refresh()
        table.focus()

    def on_screen_resume(self) -> None:
        """Something may have been decided meanwhile."""
        if self._table.columns:
            self.action_refresh()

    @property
    def _table(self) -> DataTable[Text]:
        return cast("DataTable[Text]", self.query_one(DataTable))

    @property
    def _app(self) -> ReviewApp:
        return cast("ReviewApp", self.app)

    def action_refresh(self) -> None:
        """Read the list again; the cursor stays on its item."""
        page = self._app.attempt(lambda: self._session.page(self._wanted, ROWS))
        if page is not None:
            self._fill(page)

    def _fill(self, page: Page) -> None:
        table = self._table
        key = self._under_cursor()
        table.clear()
        once = self._session.queue.first_approvals(page.entries)
        for entry in page.entries:
            table.add_row(
                word(f"{entry.risk:>4}", RISK_STYLES[risk_word(entry.risk)]),
                word(entry.ref),
                word(state_words(entry, once)),
                word(f"{entry.verdict} {entry.findings}" if entry.findings else entry.verdict.value),
                word(one_line(entry.title, at_most=80)),
                key=entry.content_hash,
            )
        hashes = [entry.content_hash for entry in page.entries]
        if key in hashes:
            table.move_cursor(row=hashes.index(key))
        shown = (f"{len(hashes)} of " if page.total > len(hashes) else "") + counted(page.total, "item")
        about = f" with {one_line(self._wanted.search, at_most=40)!r}" if self._wanted.search else ""
        note = "   * somebody is looking at it" if any(entry.claimed_by for entry in page.entries) else ""
        note += f"   {ONCE} waits for a second person" if once else ""
        about += ": make candidates with bootcamp author" if not hashes and not about else ""
        self.say(f"enter opens · {shown}{about} · {one_line(self._session.reviewer, at_most=60)}{note}")

    def say(self, text: str) -> None:
        """The line below the list."""
        self.query_one("#status", Static).update(word(text))

    def _under_cursor(self) -> str | None:
        table = self._table
        if not table.row_count:
            return None
        return table.coordinate_to_cell_key(table.cursor_coordinate).row_key.value

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        """Enter on a row."""
        if event.row_key.value:
            self._open(event.row_key.value)

    def action_open(self) -> None:
        """Open the item under the cursor."""
        key = self._under_cursor()
        if key:
            self._open(key)

    def action_next(self) -> None:
        """Open the next item this person may decide."""
        found = self._app.attempt(lambda: [self._session.next(self._wanted)])
        if found == [None]:
            self.say("nothing waits for you")
        elif found and found[0]:
            self._open(found[0])

    def _open(self, content_hash: str) -> None:
        opened = self._app.attempt(lambda: self._session.open(content_hash))
        if opened is not None:
            self.app.push_screen(ItemScreen(self._session, opened))

    def action_search(self) -> None:
        """Show the search line."""
        line = self.query_one("#search", Input)
        line.add_class("shown")
        line.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Search."""
        found = self._app.attempt(lambda: replace(self._wanted, search=event.value))
        if found is not None:
            self._wanted = found
            self.action_refresh()
            self._table.focus()

    def action_clear(self) -> None:
        """Show everything again."""
        line = self.query_one("#search", Input)
        line.value = ""
        line.remove_class("shown")
        self._wanted = replace(self._wanted, search="")
        self.action_refresh()
        self._table.focus()

    def action_quit(self) -> None:
        """Leave."""
        self.app.exit()
