"""``bootcamp review``: see what waits, look at one candidate, try it by hand, decide."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bootcamp_cli.commands import merge, review_add, review_again, review_app, review_decide, review_judge
from bootcamp_cli.commands.library import read_response
from bootcamp_cli.commands.review_decide import (
    Ref,
    Reviewer,
    looking,
    note_look,
    reviewer_of,
    tell_opinions,
)
from bootcamp_cli.groups import group, require_none_before
from bootcamp_cli.machine import open_queue, open_sandbox
from bootcamp_cli.output import NO, JsonFlag, print_json, say, stdout
from bootcamp_cli.replacing import library_root
from bootcamp_cli.settings import load_settings
from bootcamp_kit.errors import UsageError
from review.states import OPEN, State

if TYPE_CHECKING:
    from bootcamp_cli.settings_model import Settings
    from review.item import QueueItem


def build_app() -> typer.Typer:
    """The verb and its sub-verbs; alone it lists."""
    app = group("Review candidates: list, show, try, decide.", no_args_is_help=False)
    app.callback(invoke_without_command=True)(_default)
    app.command("app")(review_app.app)
    app.command("list")(list_items)
    app.command("html")(html)
    app.command("claim")(claim)
    app.command("release")(release)
    app.command("show")(show)
    app.command("again")(review_again.again)
    app.command("judge")(review_judge.judge)
    app.command("try")(try_case)
    app.command("diff")(review_add.diff)
    app.command("add")(review_add.add)
    app.command("calibrate")(review_add.calibrate)
    app.command("retire")(merge.retire)
    for name, verb in review_decide.VERBS.items():
        app.command(name)(verb)
    return app


def _default(context: typer.Context, as_json: JsonFlag = False) -> None:
    """Review candidates. Alone: the full-screen app on a terminal (needs the extra `tui`), else the list."""
    import importlib.util
    import sys

    require_none_before(context.invoked_subcommand, "bootcamp review", as_json=as_json)
    if context.invoked_subcommand is not None:
        return
    screen = sys.stdin.isatty() and sys.stdout.isatty() and importlib.util.find_spec("textual") is not None
    review_app.app() if screen and not as_json else list_items(as_json=as_json)


def list_items(
    everything: Annotated[bool, typer.Option("--all", help="Decided ones too.")] = False,
    state: Annotated[list[State] | None, typer.Option(help="Only these states.")] = None,
    family: Annotated[str, typer.Option(help="Only this family.")] = "",
    author: Annotated[str, typer.Option(help="Only candidates whose maker contains this.")] = "",
    min_risk: Annotated[int, typer.Option(help="Only risks from here on, 0 to 100.")] = 0,
    search: Annotated[str, typer.Option(help="Words to find in id, family, title and author.")] = "",
    limit: Annotated[int, typer.Option(help="At most so many; 0 for all.")] = 200,
    as_json: JsonFlag = False,
) -> None:
    """List what waits for a person: riskiest first, with a fixed share of low-risk ones among them."""
    from review.as_json import entry_to_json
    from review.listing import Filter
    from review.present import list_table

    states = tuple(state or (State if everything else OPEN))
    wanted = Filter(states, family=family, author=author, min_risk=min_risk, search=search)
    if limit < 0:
        raise UsageError("review list", f"--limit {limit}", "give 0 for all, or a number")
    settings = load_settings()
    with open_queue(settings) as queue:
        page = queue.find(wanted, limit=limit or None)
        once = queue.first_approvals(page.entries)
    if as_json:
        print_json(
            [{**entry_to_json(entry), "first_approval": once.get(entry.content_hash, "")} for entry in page.entries]
        )
        return
    stdout().print(list_table(page.entries, once))
    if not page.total:
        say(f"state folder: {settings.state_dir} (another one: BOOTCAMP_STATE, or `state` in bootcamp.toml)")
    if page.total > len(page.entries):
        say(f"{len(page.entries)} of {page.total} shown; --limit 0 shows all, --search TEXT finds some")
    if any(entry.claimed_by for entry in page.entries):
        say("* somebody is looking at it; bootcamp review show says who")
    if once:
        say("1/2 one person approved it; it waits for a second: bootcamp review show says who was first, and why two")
    say(next_step(list(page.entries)))


def claim(
    ref: Annotated[str | None, typer.Argument(help="Which; default: the next one that you may decide.")] = None,
    minutes: Annotated[int, typer.Option(help="For how long.")] = 30,
    reviewer: Reviewer = None,
    as_json: JsonFlag = False,
) -> None:
    """Say that you are on a candidate, so that nobody else decides it meanwhile. Exit 1 when nothing waits."""
    settings = load_settings(reviewer=reviewer)
    who = reviewer_of(settings)
    with open_queue(settings) as queue:
        if ref is None:
            item = queue.claim_next(who, minutes=minutes)
            if item is None:
                say("nothing waits for you")
                raise typer.Exit(NO)
        else:
            queue.claim(ref, who, minutes=minutes)
            item = queue.item(ref)
    if as_json:
        print_json({"ref": item.ref, "reviewer": who})
    else:
        typer.echo(f"{item.ref} is yours for {minutes} minutes")
        say(f"next: bootcamp review show {item.ref}")


def release(ref: Ref, reviewer: Reviewer = None, as_json: JsonFlag = False) -> None:
    """Give a claim up."""
    settings = load_settings(reviewer=reviewer)
    with open_queue(settings) as queue:
        done = queue.release(ref, reviewer_of(settings))
    if as_json:
        print_json({"released": done})
    else:
        typer.echo("released" if done else "it was not claimed")


def next_step(entries: list) -> str:  # type: ignore[type-arg]
    """The command a person would type next."""
    for state, words in (
        ("queued", "next: bootcamp review show {0}"),
        ("approved", "next: bootcamp merge {0}"),
        ("returned", "next: bootcamp repair {0} --author PROVIDER:MODEL"),
    ):
        for entry in entries:
            if entry.state == state:
                return words.format(entry.ref)
    return "nothing waits; make candidates with: bootcamp author BRIEF…"


def show(
    ref: Ref,
    level: Annotated[
        list[int] | None, typer.Option(help="Levels to show a case of; default: the lowest and highest.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the shown cases.")] = 0,
    code: Annotated[bool, typer.Option("--code", help="Print the files too.")] = False,
    no_cases: Annotated[bool, typer.Option("--no-cases", help="Do not start the sandbox.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Show one candidate on a page: evidence first, then an easy and a hard case as a solver sees them.

    What a model says and nothing confirmed is shown, in --json too, after you judged a pair of answers: `review judge`.
    """
    from review.as_json import item_to_json
    from review.present import item_page
    from review.session import context_of

    settings = load_settings()
    with open_queue(settings) as queue:
        item = queue.item(ref)
        note_look(settings, queue, item, "page", *(["code"] if code else []), *([] if no_cases else ["cases"]))
        told = tell_opinions(settings, queue, item)
        context = context_of(queue, item, looking(settings), library_root(settings))
    trials = [] if no_cases else _shown_cases(settings, item, level, seed)
    if as_json:
        more = {"cases": [trial.to_json() for trial in trials], "context": dict(context)}
        print_json({**item_to_json(item, told=told), **more})
        return
    stdout().print(item_page(item, trials=trials, code=code, context=context, told=told))
    for verb in ("judge", "try", "approve", "reject", "return"):
        say(f"{'next: ' if verb == 'judge' else 'then: '}bootcamp review {verb} {item.ref}")


def _shown_cases(settings: Settings, item: QueueItem, levels: list[int] | None, seed: int) -> list:  # type: ignore[type-arg]
    from review.trial import trial

    declared = item.folder.card.difficulty.levels
    with open_sandbox(settings) as sandbox:
        return [trial(sandbox, item, level, seed) for level in levels or sorted({declared[0], declared[-1]})]


def html(
    ref: Annotated[str | None, typer.Argument(help="Which; or give --all.")] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Every open candidate, and a page that lists them.")
    ] = False,
    out: Annotated[Path, typer.Option(help="Folder to write to.")] = Path("review_html"),
    seed: Annotated[int, typer.Option(help="Seed of the shown cases.")] = 0,
    no_cases: Annotated[bool, typer.Option("--no-cases", help="Do not start the sandbox.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Write candidates as HTML pages: one file each, no script, nothing loaded, readable offline and on a phone."""
    from contextlib import ExitStack

    from review.difference import before_of
    from review.dossier import dossier, file_name, index
    from review.pair import blind_pair
    from review.session import context_of

    if (ref is None) == (not everything):
        raise UsageError("review html", "neither or both of REF and --all", "name a candidate, or give --all")
    settings = load_settings()
    who, library = looking(settings), library_root(settings)
    written = []
    with ExitStack() as stack:
        queue = stack.enter_context(open_queue(settings))
        entries = queue.items(states=OPEN) if ref is None else [queue.item(ref)]
        sandbox = None if no_cases or not entries else stack.enter_context(open_sandbox(settings))
        for entry in entries:
            item = queue.item(entry.content_hash)
            levels = _outer_levels(item) if sandbox else []
            pairs = [blind_pair(sandbox, item, level, seed) for level in levels] if sandbox else []
            before = before_of(queue, item, who, library)
            context = context_of(queue, item, who, library)
            note_look(settings, queue, item, *(["dossier"] if ref is not None else []))
            told = tell_opinions(settings, queue, item)
            made = dossier(item, pairs=pairs, before=before, context=context, told=told)
            written.append(_write(out / file_name(item), made))
        if ref is None:
            written.append(_write(out / "index.html", index(entries)))
    if as_json:
        print_json([str(path) for path in written])
    else:
        typer.echo("\n".join(map(str, written)))


def _outer_levels(item: QueueItem) -> list[int]:
    """The lowest and the highest level; none where the card cannot be read."""
    try:
        levels = item.folder.card.difficulty.levels
    except UsageError:
        return []
    return sorted({levels[0], levels[-1]})


def _write(path: Path, text: str) -> Path:
    """A file, whole or not at all."""
    import tempfile

    from bootcamp_kit.errors import MachineError

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as building:
            building.write(text)
        Path(building.name).chmod(0o644)
        return Path(building.name).replace(path)
    except OSError as error:
        raise MachineError(f"writing {path}", str(error), "name another folder: --out DIR") from error


def try_case(
    ref: Ref,
    level: Annotated[int, typer.Option(help="Difficulty level.")] = 1,
    seed: Annotated[int, typer.Option(help="Seed of the case.")] = 0,
    response: Annotated[
        str | None, typer.Option(help="Your whole response, tags and all; default: ask for it.")
    ] = None,
    response_file: Annotated[Path | None, typer.Option(help="Your response, from a file.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Answer a case yourself and see what was parsed, the verdict and the reason. Exit 1 when it was not right."""
    from review.case_page import trial_page
    from review.trial import trial

    if response is not None and response_file is not None:
        raise UsageError("review try", "both --response and --response-file", "give one of them")
    settings = load_settings()
    if response_file is not None:
        response = read_response(response_file)
    given = response is not None
    with open_queue(settings) as queue:
        item = queue.item(ref)
        note_look(settings, queue, item, f"try level {level}")
    with open_sandbox(settings) as sandbox:
        if response is None and not as_json:
            stdout().print(trial_page(trial(sandbox, item, level, seed)))
            response = _ask()
        tried = trial(sandbox, item, level, seed, response)
    if as_json:
        print_json(tried.to_json())
    else:
        stdout().print(trial_page(tried, prompt=given))
    if not tried.right:
        raise typer.Exit(NO)


def _ask() -> str:
    """Lines up to an empty one; put between the delimiters unless the person wrote them."""
    import sys

    say("your answer (end with an empty line; the <answer> tags are added when you leave them out):")
    lines: list[str] = []
    for line in sys.stdin:
        if not line.strip() and lines:
            break
        lines.append(line.rstrip("\n"))
    text = "\n".join(lines)
    return text if "<answer>" in text else f"<answer>{text}</answer>"
