"""The certificate in a dozen lines: figure, value, and how it was sampled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bootcamp_kit.counted import counted
from sandbox.audit.figures import at_least, bounded, clipped, told_apart, too_few
from sandbox.audit.page_truth import Line, opponent_lines, search_lines, truth_lines


def lines(certificate: Mapping[str, Any]) -> list[Line]:
    """For a table in a terminal."""
    found: list[Line] = []
    if "all_levels" in certificate:
        measured = certificate["all_levels"]
        found += _worst("wrong answers accepted", measured["false_accept"]["worst"])
        found += _worst("odd responses accepted", measured["garbage"]["worst"])
        found += _worst("right answers rejected", measured["false_reject"]["worst"])
        undecided = sum(measured["false_accept"]["undecided"].values())
        if undecided:
            kinds = len(measured["false_accept"]["undecided"])
            found.append(
                (
                    "accepted, may be right",
                    str(undecided),
                    f"mutants of {counted(kinds, 'class', 'classes')}, left to a reader",
                )
            )
        if measured["rates"]:
            rates = measured["rates"]
            note = f"TPR {rates['tpr']} (n = {rates['tpr_n']}), TNR {rates['tnr']} (n = {rates['tnr_n']})"
            found.append(("J of the worst classes", f"{rates['j']:.3f}", note))
        for best in measured["floor"]["best"][:1]:
            note = f"{clipped(best['strategy'], 60)}; n = {best['n']}, above {best['above']:.3f}; declared"
            found.append(("guess floor", f"{best['mean']:.3f}", f"{note} {measured['floor']['declared']:.2f}"))
        payloads = certificate["determinism"]["payloads"]
        note = f"two containers, two hash seeds, {counted(payloads['n'], 'case')}; {bounded(payloads)}"
        found.append(("cases that change", str(payloads["hits"]), note))
        levels = certificate["levels"].items()
        low = min(((item["distinct"]["birthday"], level) for level, item in levels), default=None)
        if low:
            found.append(("different cases", f"≥ {low[0]}", f"at level {low[1]}, the fewest; birthday bound, 95 %"))
    found += [*truth_lines(certificate["truth"]), *search_lines(certificate["adversary"])]
    found += opponent_lines(certificate["opponents"])
    found.append(_mutation(certificate["mutation"]))
    skipped = len(certificate["not_measured"])
    found.append(("checks that said nothing", str(skipped), "each with its reason in the certificate"))
    seconds = certificate["run"]["seconds"].get("all", 0.0)
    found.append(("seconds", f"{seconds:.1f}", ""))
    return found


def _worst(label: str, worst: Mapping[str, Any] | None) -> list[Line]:
    if not worst:
        return [(label, "?", "nothing could be tried")]
    classes = counted(worst["classes"], "class", "classes")
    note = f"{worst['hits']} of {worst['n']} in the worst of {classes}: {worst['class']}{at_least(worst)}"
    return [(label, bounded(worst), note)]


def _mutation(mutation: Mapping[str, Any]) -> Line:
    if "skipped" in mutation:
        return ("mutation score", "?", str(mutation["skipped"]))
    score = "?" if mutation["score"] is None else told_apart(mutation)
    note = f"{mutation['killed']} killed, {mutation['surviving']} surviving, {mutation['not_distinguished']}"
    return (
        "mutation score",
        score,
        f"{note} not distinguished; {counted(mutation['corpus'], 'answer')}{too_few(mutation)}",
    )
