"""Known items among the others, to measure reviewers: broken tasks, to be turned down, and sound ones, to be approved.

All come from one folder of sound tasks; a broken one is such a task with one fault planted in what judges its answers
(``planting.py``), proved by the gate. So nothing but the fault tells the two kinds apart. All else that can be seen
(maker, licence, source, family, tags, prompts, run) is taken from a candidate that waits, and the report of a broken
one is of two kinds: ``evident`` shows what the gate found, as findings that do not forbid approval; ``silent`` is the
report of the task without the fault: only looking, trying and judging answers can tell.

Reports of broken known items are untrue on purpose and are evidence of nothing; no such item is ever merged, and
whoever decides one is told at once what it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from random import Random

from bootcamp_kit.brief import Brief
from bootcamp_kit.candidate import Candidate, Lineage, Submission
from bootcamp_kit.errors import UsageError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.jsondata import digest
from bootcamp_kit.report import CheckResult, Finding, Report, Severity, Status, Verdict
from review.subjects import rebuilt_brief

SOUND = ("sound_tasks", "sound")
"""Names of the folder of sound tasks: of this repository, or of a place made for the purpose."""
SHARE = 0.05
"""One known item among twenty."""
TOWARDS_BALANCE = 2 / 3
"""Chance of the kind that was rarer so far. Source: B. Efron, Forcing a sequential experiment to be balanced, 1971."""
_COMPILER = "compiler/"
_FAMILIES = {"integer": "numbers", "integers": "lists", "decimal": "numbers", "grid": "grids", "choice": "choices"}
_JUDGING = ("near_miss.", "floor.", "still_right.", "examples.", "adversary.")
"""Findings that say a wrong answer is accepted or a right one rejected; a crash, say, would be seen at a glance."""
_AUTHORING = ("oppose.", "calibrate.")
"""Checks that authoring adds to the gate's; where a candidate has them, so must a known item beside it."""


class Style(StrEnum):
    """What is shown of a known item: what the gate found, the report of the task without its fault, or the truth."""

    EVIDENT = "evident"
    SILENT = "silent"
    SOUND = "sound"


@dataclass(frozen=True, slots=True)
class Known:
    """A task that is known to be sound."""

    name: str
    folder: TaskFolder


@dataclass(frozen=True, slots=True)
class Truth:
    """What is kept apart about a known item in the queue, and told with the decision.

    Attributes:
        name: The task it was made from.
        fault: What is wrong with it; "" for a sound one.
    """

    name: str
    style: Style
    fault: str

    @property
    def broken(self) -> bool:
        """Whether it should be turned down."""
        return self.style is not Style.SOUND

    @property
    def kind(self) -> str:
        """The kind of its fault."""
        return kind_of_fault(self.fault)

    def words(self, *, approved: bool) -> str:
        """What the person who decided is told."""
        if not self.broken:
            said = "an item known to be sound"
            return f"{said} ({self.name}): {'approved, rightly' if approved else 'turned down: a false alarm'}"
        said = f"an item known to be broken ({self.name}: {self.fault})"
        shown = "its report showed it" if self.style is Style.EVIDENT else "its report did not show it"
        return f"{said}; {shown}: {'approved, so the fault was MISSED' if approved else 'caught'}"


@dataclass(frozen=True, slots=True)
class Likeness:
    """A waiting candidate that a known item is made to look like."""

    folder: TaskFolder
    brief: Brief
    lineage: Lineage
    report: Report

    @property
    def compiled(self) -> bool:
        """Whether the compiler made it."""
        return self.lineage.author.startswith(_COMPILER)

    def renamed(self, text: str, title: str, task_id: str) -> str:
        """Its words with another task's name in them."""
        named = text.replace(self.brief.title, title).replace(self.brief.id, task_id)
        return named.replace(self.brief.id.replace("_", "-"), task_id.replace("_", "-"))


def kind_of_fault(fault: str) -> str:
    """``the sign is dropped, bootcamp.py line 9`` → its kind, without the place."""
    return fault.partition(",")[0]


def read_known(place: Path) -> list[Known]:
    """The sound tasks below a place, by name; those that cannot be read are left out.

    Raises:
        UsageError: there is none.
    """
    found = []
    for path in sorted(path for name in SOUND for path in (place / name).glob("*/card.toml")):
        try:
            folder = TaskFolder.read(path.parent)
            found.append(Known(folder.card.id, folder))
        except (OSError, UsageError):
            continue
    if not found:
        raise UsageError(f"known items in {place}", "no task", f"it needs {' or '.join(SOUND)} with sound tasks")
    return found


def disguised(known: Known, like: Likeness | None, author: str) -> tuple[TaskFolder, Brief]:
    """The task as if it had come in with the others: their maker, licence, source, family and tags; code as it is.

    Args:
        known: The task.
        like: The candidate to look like; None where nothing waits.
        author: Who is said to have made it where nothing waits.

    Raises:
        UsageError: its card cannot be read.
    """
    import tomli_w

    card = known.folder.card
    text = rebuilt_brief(known.folder).text
    source = replace(card.source, sha256=digest(text.encode()))
    family, tags = _FAMILIES.get(card.answer.kind, "texts"), card.tags
    if like is not None:
        told = like.brief.source
        named, url = (like.renamed(words, card.title, card.id) for words in (told.name, told.url))
        source = replace(told, name=named, url=url, sha256=source.sha256)
        family, tags, author = like.folder.card.family, like.folder.card.tags, like.folder.card.author
    brief = Brief(card.id, family, card.title, text, source, tags=tags)
    changed = replace(card, family=family, tags=tags, author=author, source=source, version="1.0.0")
    return TaskFolder({**known.folder.files, "card.toml": tomli_w.dumps(changed.to_dict()).encode()}), brief


def brief_like(brief: Brief, like: Likeness | None) -> Brief:
    """A problem as if it had been handed in with the others: their source, licence, family and tags."""
    if like is None:
        return brief
    told = like.brief.source
    named, url = (like.renamed(words, brief.title, brief.id) for words in (told.name, told.url))
    source = replace(told, name=named, url=url, sha256=brief.source.sha256)
    return replace(brief, family=like.brief.family, tags=like.brief.tags, source=source)


def lineage_like(like: Likeness | None, brief: Brief, author: str) -> Lineage:
    """Who is said to have made it from what: a first attempt of the same run, with the same prompts."""
    if like is None:
        return Lineage(author, brief.hash)
    return replace(like.lineage, brief_hash=brief.hash, attempt=1, parent="")


def proved_sound(report: Report) -> bool:
    """Whether the gate has nothing against it that a careful person could return it for, and asked its oracle."""
    heavy = any(finding.severity.rank >= Severity.MAJOR.rank for finding in report.findings)
    return report.verdict is Verdict.PASS and not heavy and _oracle(report)


def proved_broken(report: Report) -> bool:
    """Whether the gate blocks it for how it judges answers, and for nothing else: it runs, and takes its oracle's."""
    blockers = [finding.code for finding in report.findings if finding.severity is Severity.BLOCKER]
    return bool(blockers) and all(code.startswith(_JUDGING) for code in blockers) and _oracle(report)


def _oracle(report: Report) -> bool:
    """Whether the oracle was asked and nothing was found."""
    results = {result.check: result for result in report.results}
    oracle = results.get("oracle.scores_one")
    return oracle is not None and oracle.status is Status.PASS and not oracle.findings


def shown_report(style: Style, sound: Report, broken: Report | None, like: Likeness | None) -> Report | None:
    """The report as a reviewer gets it; None where it would forbid approval.

    Args:
        style: What is shown.
        sound: The gate's, about the task without a fault.
        broken: The gate's, about the task with it; None for a sound item.
        like: The candidate that it lies beside.
    """
    about = broken or sound
    shown = sound if style is not Style.EVIDENT or broken is None else _milder(broken)
    extra = _beside(like.report, {result.check for result in shown.results}) if like else ()
    made = replace(shown, task_id=about.task_id, content_hash=about.content_hash, results=(*shown.results, *extra))
    return made if made.verdict is Verdict.PASS else None


def _milder(report: Report) -> Report:
    results = (replace(result, findings=tuple(map(_mild, result.findings))) for result in report.results)
    return replace(report, results=tuple(results))


def _mild(finding: Finding) -> Finding:
    return replace(finding, severity=Severity.MAJOR) if finding.severity is Severity.BLOCKER else finding


def _beside(report: Report, there: set[str]) -> Sequence[CheckResult]:
    """What authoring measured of the candidate that it lies beside, without what was found against that one."""
    return [
        replace(result, findings=(), status=Status.PASS if result.status is Status.FAIL else result.status)
        for result in report.results
        if result.check.startswith(_AUTHORING) and result.check not in there
    ]


def submission_of(folder: TaskFolder, brief: Brief, lineage: Lineage, report: Report) -> Submission:
    """What goes into the queue."""
    return Submission(Candidate(folder, lineage), brief, report)


def missing(waiting: int, known: int, share: float) -> int:
    """How many known items are to be added, so that they are ``share`` of what waits; none while too few wait."""
    if not 0.0 <= share < 1.0:
        raise UsageError("share of known items", f"{share}", "from 0 to below 1")
    return max(0, int(waiting * share / (1 - share) + 1e-9) - known)


def drawn(count: int, before: Mapping[Style, int], rng: Random) -> list[Style]:
    """What the next known items are to be: as many broken as sound, and of the broken as many silent as evident.

    Where a number is odd, a coin decides that favours what was rarer so far. So twenty at once are ten and ten in an
    order of chance; those that come in singly are near to half and half in the long run, and no single one can be
    foretold from the ones before.

    Args:
        count: How many.
        before: How many of each there were so far.
        rng: Chance.
    """
    broken = [Style.EVIDENT, Style.SILENT]
    seen = {style: before.get(style, 0) for style in Style}
    is_broken = _halves(count, sum(seen[style] for style in broken), seen[Style.SOUND], rng)
    evident = _halves(is_broken, seen[Style.EVIDENT], seen[Style.SILENT], rng)
    styles = [Style.EVIDENT] * evident + [Style.SILENT] * (is_broken - evident) + [Style.SOUND] * (count - is_broken)
    rng.shuffle(styles)
    return styles


def _halves(count: int, first: int, second: int, rng: Random) -> int:
    """Half of them; of an odd one a coin says whether it belongs to the first kind."""
    chance = 0.5 if first == second else TOWARDS_BALANCE if first < second else 1 - TOWARDS_BALANCE
    return count // 2 + (count % 2 and rng.random() < chance)
