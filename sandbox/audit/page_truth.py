"""The certificate's parts about independent truth, in words: for the page and for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

Line = tuple[str, str, str]


def truth_lines(truth: Mapping[str, Any]) -> list[Line]:
    """(figure, value, how it was sampled) of what was measured; what was not is among the checks that said nothing."""
    found: list[Line] = []
    listed, second = truth["listed"], truth["second_oracle"]
    if listed["status"] in ("pass", "fail"):
        right, size = listed["right_answers"], listed["of_one_case"]
        count = f"{right['fewest']}" if right["fewest"] == right["most"] else f"{right['fewest']} to {right['most']}"
        note = f"of {size[0]} to {size[1]} listed answers ({listed['form']}), {listed['cases']} cases of levels"
        note += f" {', '.join(map(str, listed['levels']))}; the card says {listed['declared']}"
        found.append(("right answers of a case", count, note))
    if second["status"] in ("pass", "fail"):
        asked = second["cases"] + second["too_large"] + second["failed"]
        note = f"{second['too_large']} too large for it, {second['failed']} failed; {second['opinions']} opinions"
        undecided = second["undecided_mutants"]
        if undecided:
            note += (
                f"; accepted mutants: {undecided['right']} right, {undecided['wrong']} wrong, {undecided['left']} left"
            )
        found.append(("second oracle", f"{second['cases']} of {asked} cases", note))
    return found


def truth_section(truth: Mapping[str, Any]) -> Iterable[str]:
    """For the page."""
    yield "<h2>Independent truth</h2>"
    rows = truth_lines(truth)
    if rows:
        cells = ("".join(f"<td>{escape(cell, quote=True)}</td>" for cell in row) for row in rows)
        yield f"<div class=wide><table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table></div>"
    for name, words in (("listed", "Answers were not listed"), ("second_oracle", "No second opinion")):
        if truth[name]["skipped"]:
            yield f"<p class=soft>{words}: {escape(truth[name]['skipped'])}.</p>"
