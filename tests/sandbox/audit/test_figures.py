"""What a certificate says of a verifier that checks nothing, and of figures from next to nothing."""

from __future__ import annotations

from typing import Any

from sandbox.audit.figures import at_least, bounded, clipped
from sandbox.audit.page import page
from sandbox.audit.statistics import rate, worst
from sandbox.audit.summary import lines

OFF: dict[str, Any] = {"status": "skip", "skipped": "not asked for"}
LEVEL: dict[str, Any] = {
    "difficulty": {"prompt_characters": 9, "payload_bytes": 9, "answer_characters": 1},
    "distinct": {"n": 9, "distinct": 9, "chao1": 9, "birthday": 9},
    "answers": {"n": 0},
}


def certificate(accepted: int, killed: int, response: str = "x") -> dict[str, Any]:
    classes = {"value: zero": rate(accepted, 369)}
    measured: dict[str, Any] = {
        "false_accept": {"by_class": classes, "worst": worst(classes), "undecided": {}},
        "garbage": {"by_class": {}, "worst": worst({"negative zero": rate(12, 12), "nothing": rate(0, 12)})},
        "false_reject": {"by_class": {}, "worst": worst({"as the oracle writes it": rate(0, 369)})},
        "rates": {},
        "floor": {"declared": 0.0, "strategies": 1, "best": []},
    }
    best = [{"mean": 1.0, "n": 30, "response": response}]
    search = {"status": "fail", "skipped": "", "responses": 9, "calls": 9, "wrong_accepted": 1, "best_for_all": best}
    return {
        "task": {"id": "lax", "content_hash": "0" * 64},
        "verdict": "fail",
        "policy_version": "1",
        "hash": "0" * 64,
        "findings": [],
        "all_levels": measured,
        "levels": {"1": {**measured, **LEVEL}},
        "determinism": {"payloads": rate(0, 40)},
        "truth": {"listed": OFF, "second_oracle": OFF},
        "adversary": {**search, "unconfirmed": 0, "cut_by_time": False},
        "opponents": {},
        "mutation": {
            "score": 1.0, "killed": killed, "surviving": 0, "not_distinguished": 3, "corpus": 90, "n": 5, "made": 5,
            "wider_set": 9, "survivors": [],
        },
        "not_measured": [],
        "run": {"seconds": {}, "oracle_cpu_s": {}},
    }  # fmt: skip


def test_a_verifier_that_accepts_everything_is_said_to_accept_all() -> None:
    found = {label: (value, note) for label, value, note in lines(certificate(369, 2))}
    value, note = found["wrong answers accepted"]
    assert value == "100 %" and note == "369 of 369 in the worst of 1 class: value: zero; at least 99.1 % (95 %)"
    assert found["odd responses accepted"][0] == "100 %"
    assert found["right answers rejected"][0] == "at most 0.8 %"
    text = page(certificate(369, 2))
    assert "<div class='fact bad'><b>100 %</b><span>wrong answers accepted, worst of 1" in text
    assert "below 100" not in text and "at most 100" not in text
    assert "<div class='fact'><b>at most 0.8 %</b><span>right answers rejected" in text


def test_two_careless_verifiers_noticed_are_no_hundred_percent() -> None:
    value, note = {label: (value, note) for label, value, note in lines(certificate(0, 2))}["mutation score"]
    assert value == "2 of 2" and note.endswith("; too few to say much")
    text = page(certificate(0, 2))
    assert "<b>2 of 2</b><span>careless verifiers noticed; 3 more not distinguished; too few to say much" in text
    assert "<b>100.0 %</b><span>of 30 careless verifiers noticed; 3 more not distinguished</span>" in page(
        certificate(0, 30)
    )


def test_bounds_are_not_strict_and_never_vacuous() -> None:
    assert bounded(rate(0, 40_000)) == "at most 0.1 %" and at_least(rate(0, 40)) == ""
    assert bounded(rate(1, 1)) == "100 %" and at_least(rate(1, 1)) == "; at least 5.0 % (95 %)"
    assert bounded(rate(0, 0)) == "at most 100.0 %"


def test_a_long_word_breaks_and_an_identifier_does_not() -> None:
    message = "1," * 200
    found = {"id": "F-1", "severity": "major", "code": "near_miss.accepted", "message": message, "witness": None}
    text = page({**certificate(369, 2), "findings": [found]})
    assert f"<td class=text>{message}</td>" in text and "<td class=word>near_miss.accepted</td>" in text
    assert "td{overflow-wrap:anywhere" in text and ".wide{overflow-x:auto}" in text


def test_an_exploit_that_is_cut_says_so() -> None:
    assert clipped("x" * 40, 40) == "x" * 40 and clipped("x" * 41, 40) == "x" * 39 + "…"
    found = {label: note for label, _, note in lines(certificate(369, 2, "1 " * 60))}
    assert found["search for exploits"].endswith("…")
