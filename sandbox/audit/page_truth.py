"""The certificate's parts about independent truth and the search for exploits: for the page and for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from bootcamp_kit.counted import counted
from sandbox.audit.figures import clipped

Line = tuple[str, str, str]


def truth_lines(truth: Mapping[str, Any]) -> list[Line]:
    """(figure, value, how it was sampled) of what was measured; what was not is among the checks that said nothing."""
    found: list[Line] = []
    listed, second = truth["listed"], truth["second_oracle"]
    if listed["status"] in ("pass", "fail"):
        right, size = listed["right_answers"], listed["of_one_case"]
        count = f"{right['fewest']}" if right["fewest"] == right["most"] else f"{right['fewest']} to {right['most']}"
        sizes = f"{size[0]}" if size[0] == size[1] else f"{size[0]} to {size[1]}"
        levels = f"level{'s' if len(listed['levels']) > 1 else ''} {', '.join(map(str, listed['levels']))}"
        answers = "listed answer" if sizes == "1" else "listed answers"
        note = f"of {sizes} {answers} ({listed['form']}), {counted(listed['cases'], 'case')} of {levels};"
        note += f" the card says {listed['declared']}"
        found.append(("right answers of a case", count, note))
    if second["status"] in ("pass", "fail"):
        asked = second["cases"] + second["too_large"] + second["failed"]
        opinions = counted(second["opinions"], "opinion")
        note = f"{second['too_large']} too large for it, {second['failed']} failed; {opinions}"
        undecided = second["undecided_mutants"]
        if undecided:
            note += (
                f"; accepted mutants: {undecided['right']} right, {undecided['wrong']} wrong, {undecided['left']} left"
            )
        found.append(("second oracle", f"{second['cases']} of {counted(asked, 'case')}", note))
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


def search_lines(search: Mapping[str, Any]) -> list[Line]:
    """What the search for exploits came to, in a line."""
    if search["status"] not in ("pass", "fail"):
        return []
    best = search["best_for_all"][:1]
    note = f"{counted(search['responses'], 'response')}, {counted(search['calls'], 'score')}"
    if best:
        note += (
            f"; best one for all cases: {best[0]['mean']:.3f} (n = {best[0]['n']}), {clipped(best[0]['response'], 40)}"
        )
    if search["unconfirmed"]:
        note += f"; {counted(search['unconfirmed'], 'success', 'successes')} did not come again"
    if search["cut_by_time"]:
        note += "; cut off by its time"
    return [("search for exploits", f"{counted(search['wrong_accepted'], 'wrong answer')} accepted", note)]


def search_section(search: Mapping[str, Any]) -> Iterable[str]:
    """For the page."""
    yield "<h2>Search for exploits</h2>"
    for _, value, note in search_lines(search):
        yield f"<p>{escape(value, quote=True)}; {escape(note, quote=True)}.</p>"
    if search["skipped"]:
        yield f"<p class=soft>Not searched: {escape(search['skipped'])}.</p>"


def opponent_lines(opponents: Mapping[str, Any]) -> list[Line]:
    """What models said, in a line each."""
    found: list[Line] = []
    attack, blind = opponents.get("adversary.model"), opponents.get("prompt.blind_solver")
    if attack:
        note = f"{attack['falls']} fell when tried, {attack['open']} are open; {attack['model']}"
        if attack["declined"]:
            note += f"; it declined: {', '.join(attack['declined'])}"
        found.append(("attacker's claims", f"{attack['holds']} of {attack['claims']} hold", note))
    if blind:
        note = f"it says that {counted(blind['missing'], 'prompt lacks', 'prompts lack')} something; {blind['model']}"
        if blind["declined"]:
            note += f"; it declined {blind['declined']}"
        found.append(("blind solver", f"{blind['right']} of {blind['n']} right", note))
    return found


def opponent_section(opponents: Mapping[str, Any]) -> Iterable[str]:
    """For the page; nothing where no model was asked."""
    if opponents:
        yield "<h2>Models against the task</h2><p class=soft>Every claim and every answer was tried in the sandbox.</p>"
    for label, value, note in opponent_lines(opponents):
        yield f"<p>{escape(label)}: {escape(value)}; {escape(note, quote=True)}.</p>"
