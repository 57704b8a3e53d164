"""Known items among the others, to measure reviewers: broken tasks, to be turned down, and sound ones, to be approved.

They come from folders of broken and sound tasks, under a name of their own, and are never merged. What a reviewer is
shown of a broken one is of two kinds, by its hash. ``evident`` ones show what the checks found, as findings that do not
forbid approval. Of ``silent`` ones the checks that find the fault look as if they had passed: only looking, trying and
judging answers can tell. Whoever decides one is told at once what it was; until then no command says it.

The reports of known items are altered on purpose and are no evidence of anything; no such item is ever merged.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from bootcamp_kit.candidate import Candidate, Lineage, Submission
from bootcamp_kit.errors import UsageError
from bootcamp_kit.folder import TaskFolder, read_plain
from bootcamp_kit.jsondata import Json, digest
from bootcamp_kit.report import CheckResult, Finding, Report, Severity, Status, Verdict
from bootcamp_kit.tomldata import read_toml
from review.subjects import rebuilt_brief
from sandbox.checks.bounds import upper_bound

BROKEN, SOUND = ("bestiary", "broken"), ("sound_tasks", "sound")
"""Names of the two folders: of this repository, or of a folder made for the purpose."""
SHARE = 0.05
"""One known item among twenty."""
_FIRST = ("amber", "brisk", "cedar", "dusky", "early", "faint", "gilded", "hollow", "inner", "jade", "keen", "lunar")
_SECOND = ("arcade", "basin", "corner", "detour", "ferry", "garden", "harbour", "island", "journey", "kiosk", "ledger")
_WORD = re.compile(r"[^\W_]+")
_HITS = frozenset(
    {
        "accepted",
        "worst_class_accepted",
        "wrong",
        "failed",
        "different",
        "rejected",
        "survived",
        "undecided",
        "falsified",
    }
)
_FAMILIES = {"integer": "numbers", "integers": "lists", "decimal": "numbers", "grid": "grids", "choice": "choices"}


class Style(StrEnum):
    """What is shown of a known item: what the checks found, or a report as if they had found nothing."""

    EVIDENT = "evident"
    SILENT = "silent"
    SOUND = "sound"


@dataclass(frozen=True, slots=True)
class Known:
    """A task of which it is known whether it is broken.

    Attributes:
        name: Its folder's.
        fault: What is wrong with it; "" for a sound one.
    """

    name: str
    folder: TaskFolder
    fault: str = ""

    @property
    def broken(self) -> bool:
        """Whether it should be turned down."""
        return bool(self.fault)


@dataclass(frozen=True, slots=True)
class Truth:
    """What is kept apart about a known item in the queue, and told with the decision."""

    name: str
    style: Style
    fault: str

    @property
    def broken(self) -> bool:
        """Whether it should be turned down."""
        return self.style is not Style.SOUND

    def words(self, *, approved: bool) -> str:
        """What the person who decided is told."""
        if not self.broken:
            said = "an item known to be sound"
            return f"{said} ({self.name}): {'approved, rightly' if approved else 'turned down: a false alarm'}"
        said = f"an item known to be broken ({self.name}: {self.fault})"
        shown = "its report showed it" if self.style is Style.EVIDENT else "its report did not show it"
        return f"{said}; {shown}: {'approved, so the fault was MISSED' if approved else 'caught'}"


def read_known(place: Path) -> list[Known]:
    """The known tasks below a folder with one folder of broken and one of sound tasks.

    Left out are those that cannot be read, and broken ones whose own words name their fault.

    Raises:
        UsageError: neither is there.
    """
    found = [*_read(place, BROKEN, broken=True), *_read(place, SOUND, broken=False)]
    if not found:
        do = f"it needs {' or '.join(BROKEN)} with broken tasks, {' or '.join(SOUND)} with sound ones"
        raise UsageError(f"known items in {place}", "no task", do)
    return found


def _read(place: Path, names: Sequence[str], *, broken: bool) -> Iterator[Known]:
    for path in sorted(path for name in names for path in (place / name).glob("*/card.toml")):
        try:
            folder = TaskFolder.read(path.parent)
            told = read_toml(read_plain(path.parent / "expected.toml")) if broken else {}
            fault = str(told.get("fault", path.parent.name.replace("_", " "))) if broken else ""
        except (OSError, ValueError, UsageError):
            continue
        files = {name: data for name, data in folder.files.items() if name != "expected.toml"}
        known = Known(path.parent.name, TaskFolder(files), fault)
        if not gives_itself_away(known):
            yield known


def gives_itself_away(known: Known) -> bool:
    """Whether a file of a broken task holds its name in words, or speaks of a fault in its summary."""
    name = known.name.replace("_", " ")
    texts = (
        " ".join(_WORD.findall(data.decode("utf-8", "replace").casefold())) for data in known.folder.files.values()
    )
    card = known.folder.card
    own = sum(name in " ".join(_WORD.findall(text.casefold())) for text in (card.title, card.source.name, card.id))
    told = sum(text.count(name) for text in texts) - own
    return known.broken and (told > 0 or "fault" in card.summary.casefold())


def disguised(known: Known, author: str, taken: Collection[str] = ()) -> TaskFolder:
    """The task under a neutral name: a new id, title and family; code, rule and examples as they are.

    Args:
        known: The task.
        author: Who is said to have made it.
        taken: Ids that others have.

    Raises:
        UsageError: its card cannot be read, or every name is taken.
    """
    import tomli_w

    card = known.folder.card
    first, second = _free_name(int(digest(f"{known.name}/{known.folder.content_hash}".encode())[:8], 16), taken)
    title = f"{first} {second}".capitalize()
    raw = replace(card, id=f"{first}_{second}", title=title, family=_FAMILIES.get(card.answer.kind, "texts")).to_dict()
    raw["author"], raw["source"]["name"] = author, title
    return TaskFolder({**known.folder.files, "card.toml": tomli_w.dumps(raw).encode()})


def _free_name(mark: int, taken: Collection[str]) -> tuple[str, str]:
    names = [(first, second) for first in _FIRST for second in _SECOND]
    for step in range(len(names)):
        first, second = names[(mark + step) % len(names)]
        if f"{first}_{second}" not in taken:
            return first, second
    raise UsageError("naming a known item", f"all {len(names)} names are taken", "review what waits first")


def style_of(known: Known, folder: TaskFolder) -> Style:
    """Every second broken one is silent, by its hash."""
    if not known.broken:
        return Style.SOUND
    return Style.SILENT if int(folder.content_hash[0], 16) % 2 else Style.EVIDENT


def shown_report(report: Report, style: Style) -> Report | None:
    """The report as a reviewer gets it; None where it would say nothing: a check that could not run, or no cases."""
    results = {result.check: result for result in report.results}
    oracle = results.get("oracle.scores_one")
    if oracle is None or oracle.status in (Status.SKIP, Status.ERROR):
        return None
    if style is Style.SOUND:
        return report if report.verdict is Verdict.PASS else None
    change = _milder if style is Style.EVIDENT else _as_if_passed
    shown = replace(report, results=tuple(map(change, report.results)))
    return shown if shown.verdict is Verdict.PASS else None


def _milder(result: CheckResult) -> CheckResult:
    return replace(result, findings=tuple(map(_mild, result.findings)))


def _mild(finding: Finding) -> Finding:
    return replace(finding, severity=Severity.MAJOR) if finding.severity is Severity.BLOCKER else finding


def _as_if_passed(result: CheckResult) -> CheckResult:
    if all(finding.severity is Severity.NOTE for finding in result.findings):
        return result
    figures = _clean(result.figures) if result.figures else None
    return CheckResult(result.check, Status.PASS, figures=figures, rfc008=result.rfc008)


def _clean(figures: Mapping[str, Json]) -> dict[str, Json]:
    """Figures as a check would give them that found nothing: no hit, and the bounds that follow from that."""
    clean: dict[str, Json] = {}
    for name, value in figures.items():
        if name in _HITS:
            clean[name] = 0
        elif name == "rejected_of" and isinstance(value, Mapping):
            clean[name] = {kind: [0, counts[1]] for kind, counts in value.items()}
        elif name.endswith("_below"):
            tried = figures.get("worst_class_n") or figures.get("n")
            clean[name] = upper_bound(0, int(tried), 0.95) if isinstance(tried, int) and tried else value
        elif name == "mean":
            clean[name] = 0.02
        else:
            clean[name] = value
    return clean


def known_submission(known: Known, folder: TaskFolder, report: Report, author: str) -> tuple[Submission, Truth] | None:
    """What goes into the queue, and what is kept apart; None where the report is of no use.

    Args:
        known: The task.
        folder: The same, disguised.
        report: The gate's, about the disguised bytes.
        author: Who is said to have made it.
    """
    style = style_of(known, folder)
    shown = shown_report(report, style)
    if shown is None:
        return None
    brief = rebuilt_brief(folder)
    return Submission(Candidate(folder, Lineage(author, brief.hash)), brief, shown), Truth(
        known.name, style, known.fault
    )


def missing(waiting: int, known: int, share: float) -> int:
    """How many known items are to be added, so that they are ``share`` of what waits; none while too few wait."""
    if not 0.0 <= share < 1.0:
        raise UsageError("share of known items", f"{share}", "from 0 to below 1")
    return max(0, int(waiting * share / (1 - share) + 1e-9) - known)
