"""How hard a task is for a panel of solvers, level by level; and appeals of cases that nobody solved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from authoring.context import AuthoringContext
from authoring.opposition.exhibits import Exhibit, Tried, right_answers, show, tried
from authoring.opposition.hearing import in_box, in_thread
from authoring.opposition.judgement import Hearing, judge_hearing
from authoring.opposition.second import LIMITS_OF_A_CALL, opinions, second_files
from authoring.roles import Call, Role, together
from authoring.settings import AuthoringSettings
from authoring.testimony import Testimony
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.jsondata import Json, canonical
from bootcamp_kit.report import Finding, Severity, Witness, finding_from_json, to_json
from chat_models.protocol import ChatReply, ChatRequest, Message
from evaluation.statistics import Interval, share

CHECK = "calibrate.panel"
TOO_HARD, TOO_EASY = "calibrate.too_hard", "calibrate.too_easy"
INVERTED, AGREES_OTHERWISE = "calibrate.inverted", "calibrate.panel_agrees_otherwise"


@dataclass(frozen=True, slots=True)
class Calibration(Testimony):
    """What the panel came to; kept by the candidate's content hash."""

    check: ClassVar[str] = CHECK

    @property
    def outside(self) -> bool:
        """Whether the pass rate certainly lies outside the band."""
        return any(finding.code in (TOO_HARD, TOO_EASY) for finding in self.findings)

    @property
    def words(self) -> str:
        """The figures in a line."""
        told = self.figures
        return f"{told['solved']} of {told['asked']} solved ({told['low']:.0%} to {told['high']:.0%})"

    def to_json(self) -> dict[str, Any]:
        """For the run folder."""
        return {"findings": [to_json(finding) for finding in self.findings], "figures": self.figures}

    @classmethod
    def from_json(cls, raw: dict[str, Any]) -> Calibration:
        """Rebuild."""
        return cls(tuple(finding_from_json(item) for item in raw["findings"]), raw["figures"])


async def measure_panel(
    brief_id: str, folder: TaskFolder, second: str, label: str, context: AuthoringContext
) -> Calibration:
    """Every solver on every case, scored; cases that all of them failed are appealed.

    Args:
        brief_id: For the ledger.
        folder: The candidate.
        second: A second judge's code for appeals, or "".
        label: Beginning of the transcripts' names.
        context: The run.

    Raises:
        ProviderError: a model could not be asked.
        MachineError: a box could not be used.
        BudgetError: the run's limit is reached.
    """
    settings = context.settings
    shown, own = await in_box(context, folder, lambda box: show(box, folder, settings.calibration_cases))
    replies = await _solve(brief_id, shown, label, context)
    asked = [(place, reply.text, "panel") for place, reply in replies]
    solved = await in_box(context, folder, lambda box: tried(box, shown, asked))
    appealed = unsolved(solved)
    findings = [*band_findings(shown, solved, settings), *otherwise(shown, own, solved)]
    if second and appealed:
        findings += await _appeal(
            context, folder, second, shown, own, [item for item in solved if item.place in appealed]
        )
    findings.sort(key=lambda finding: -finding.severity.rank)
    return Calibration(tuple(findings), figures_of(shown, solved, len(appealed)))


def by_level(shown: Sequence[Exhibit], solved: Sequence[Tried]) -> dict[int, tuple[int, int]]:
    """Level → solved and asked; responses without a score are not counted."""
    counts: dict[int, list[int]] = {}
    for item in solved:
        if item.accepted is not None:
            pair = counts.setdefault(shown[item.place].case.level, [0, 0])
            pair[0] += item.accepted
            pair[1] += 1
    return {level: (pair[0], pair[1]) for level, pair in sorted(counts.items())}


def unsolved(solved: Sequence[Tried]) -> list[int]:
    """Exhibits that nobody solved though somebody tried."""
    places = dict.fromkeys(item.place for item in solved)
    return [place for place in places if not any(item.accepted for item in solved if item.place == place)]


def figures_of(shown: Sequence[Exhibit], solved: Sequence[Tried], appeals: int) -> dict[str, Json]:
    """Pass rates with Wilson intervals, over all and level by level."""
    levels = by_level(shown, solved)
    right, total = sum(pair[0] for pair in levels.values()), sum(pair[1] for pair in levels.values())
    overall = share(right, total)
    rates = {level: pair[0] / pair[1] for level, pair in levels.items()}
    return {
        "solved": right,
        "asked": total,
        "low": round(overall.low, 4),
        "high": round(overall.high, 4),
        "appeals": appeals,
        "levels": {str(level): _rate(*pair) for level, pair in levels.items()},
        "separation": round(rates[min(rates)] - rates[max(rates)], 4) if rates else 0.0,
    }


def band_findings(shown: Sequence[Exhibit], solved: Sequence[Tried], settings: AuthoringSettings) -> list[Finding]:
    """Too hard, too easy, or harder at the easy end – each only where the intervals leave no doubt."""
    levels = by_level(shown, solved)
    if not levels:
        return []
    overall = share(sum(pair[0] for pair in levels.values()), sum(pair[1] for pair in levels.values()))
    found = []
    words = (
        f"{_shown(overall)} of the panel's attempts are right; the band is {settings.band_low} to {settings.band_high}"
    )
    if overall.high < settings.band_low:
        found.append(_finding(TOO_HARD, Severity.MAJOR, words, "make the easy levels easier"))
    if overall.low > settings.band_high:
        found.append(_finding(TOO_EASY, Severity.MAJOR, words, "make the hard levels harder"))
    easy, hard = share(*levels[min(levels)]), share(*levels[max(levels)])
    if len(levels) > 1 and hard.low > easy.high:
        words = f"level {max(levels)} is solved in {_shown(hard)}, level {min(levels)} in {_shown(easy)}"
        found.append(_finding(INVERTED, Severity.MINOR, words, "see which axis makes cases easier"))
    return found


def otherwise(shown: Sequence[Exhibit], own: Sequence[Tried], solved: Sequence[Tried]) -> list[Finding]:
    """Cases where at least two attempts give one and the same answer, and the candidate takes none."""
    right, found = right_answers(own), []
    for place in unsolved(solved):
        answers = Counter(
            canonical(item.judged.answer) for item in solved if item.place == place and item.judged.answer is not None
        )
        common = answers.most_common(1)
        if not common or common[0][1] < 2 or common[0][0] == canonical(right.get(place)):
            continue
        item = next(
            item
            for item in solved
            if item.place == place and item.judged.answer is not None and canonical(item.judged.answer) == common[0][0]
        )
        case = shown[place].case
        witness = Witness(
            "score", level=case.level, seed=case.seed, response=item.response, expected="1, says the panel", seen="0"
        )
        found.append(
            Finding(
                AGREES_OTHERWISE,
                Severity.MAJOR,
                f"{common[0][1]} attempts agree on an answer that is turned away",
                witness,
                "work this case out by hand",
            )
        )
    return found[:3]


async def _solve(
    brief_id: str, shown: Sequence[Exhibit], label: str, context: AuthoringContext
) -> list[tuple[int, ChatReply]]:
    async def one(place: int, number: int) -> tuple[int, ChatReply]:
        name = f"{label}-panel-{place}-{number}"
        model = context.helpers.bound(context.helpers.solvers[number], Call(Role.SOLVER, brief_id, name), context.run)
        request = ChatRequest((Message("user", shown[place].prompt),), context.settings.solver_tokens, nonce=number)
        return place, await model.chat(request)

    panel = range(len(context.helpers.solvers))
    return await together(one(place, number) for place in range(len(shown)) for number in panel)


async def _appeal(
    context: AuthoringContext,
    folder: TaskFolder,
    second: str,
    shown: Sequence[Exhibit],
    own: Sequence[Tried],
    failed: Sequence[Tried],
) -> list[Finding]:
    """Let a second judge look at the answers that were turned away: a whole case failed may be a false reject."""
    everything = [*own, *failed]

    def judge() -> list[bool | None]:
        with context.open_box(second_files(second, folder), LIMITS_OF_A_CALL) as box:
            return opinions(box, [(shown[item.place].case, item.response) for item in everything])

    said = await in_thread(context, judge)
    kept: Mapping[int, bool] = {place: opinion for place, opinion in enumerate(said) if opinion is not None}
    findings = judge_hearing(Hearing(shown, everything, kept))
    return [finding for finding in findings if finding.witness and _about(finding.witness, failed)]


def _about(witness: Witness, failed: Sequence[Tried]) -> bool:
    return any(item.response == witness.response for item in failed)


def _finding(code: str, severity: Severity, words: str, hint: str) -> Finding:
    return Finding(code, severity, words, Witness("review", seen=words), hint)


def _rate(right: int, total: int) -> list[Json]:
    interval = share(right, total)
    return [right, total, round(interval.low, 4), round(interval.high, 4)]


def _shown(interval: Interval) -> str:
    return f"{interval.value:.0%} ({interval.low:.0%} to {interval.high:.0%})"
