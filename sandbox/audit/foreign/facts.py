"""Whether a prompt tells what the answer hangs on."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from typing import Any

from sandbox.audit.foreign.guest_layouts import ANSWERS
from sandbox.audit.foreign.trial import Trial
from sandbox.checks.observed import shown

PAIRS, SHARED, SPELT = 8, 6, 12
_MODULI = {
    "1000000007": r"1,?000,?000,?007|10\*\*9 ?\+ ?7|10\^\{?9\}? ?\+ ?7|1e9 ?\+ ?7|10⁹ ?\+ ?7|109 ?\+ ?7|10<sup>9",
    "998244353": r"998244353|998,244,353",
    "1000000009": r"1,?000,?000,?009|10\*\*9 ?\+ ?9|10\^\{?9\}? ?\+ ?9|1e9 ?\+ ?9|10⁹ ?\+ ?9|109 ?\+ ?9",
}
_IN_SOURCE = {
    "1000000007": r"10\*\*9 ?\+ ?7|1000000007|1_000_000_007|int\(1e9\) ?\+ ?7",
    "998244353": r"998244353|998_244_353",
    "1000000009": r"10\*\*9 ?\+ ?9|1000000009|int\(1e9\) ?\+ ?9",
}


_STORY = re.compile(r"描述(.*?)\n\s*Input\s*\n", re.DOTALL)
_OUTPUT = re.compile(r"\n\s*Output\s*\n(.*?)\n\s*Examples?\b", re.DOTALL)
_EMPTY = re.compile(
    r"print|output|single|lines?|only|integers?|number|the|and|are|for|which|this|with|all|each|from|should|will|write|"
    r"any|first|second|next|one|cases?|such|must|answer|there|than|not|have|has|been|into|out|their|they|his|her|that|"
    r"you|your|can"
)
_LETTERS = re.compile(r"[A-Za-z]+|[\u4e00-\u9fff]")
_SENTENCES = re.compile(r"(?<=[.!?\u3002\uff01\uff1f\uff1b;])\s*|\n")
_FORMAT = re.compile(
    r"answer|\[/|tag|format|output|input|example|"
    r"\u7b54\u6848|\u6807\u7b7e|\u683c\u5f0f|\u8f93\u51fa|\u8f93\u5165|\u793a\u4f8b|\u4f8b\u5982|\u6bd4\u5982",
    re.IGNORECASE,
)
PER_SIGN = 0.62
"""Words for one Chinese sign, about."""


def rules_missing(trial: Trial) -> None:
    """A prompt far shorter than the statement that its task is made from leaves rules out.

    Only words that all prompts share count, and no sentence about input, output or an example: what differs is the
    instance. Nothing is read; a short prompt that needs
    few words, as one that names a known problem, looks the same, so the limits are low.
    """
    text = trial.first.deeper("text", trial.name)
    story = _STORY.search(str(text.get("document", ""))) if isinstance(text, dict) else None
    told = len(re.findall(r"[A-Za-z']+", story.group(1))) if story else 0
    prompts = [str(item["question"]) for item in trial.made if item][:SHARED]
    if told < trial.policy.threshold("story_words") or len(prompts) < 2:
        return
    words = [_LETTERS.findall(" ".join(_rules_of(prompt))) for prompt in prompts]
    shared = set(words[0]).intersection(*map(set, words[1:]))
    own = [word for word in words[0] if word in shared]
    signs = sum(word > "\u4dff" for word in own)
    said = len(own) - signs + PER_SIGN * signs
    trial.result.figures["words"] = {"statement": told, "prompt": round(said)}
    rules = re.search(r"(?m)^\s*\d[.)、]\s*\S", prompts[0])
    limit = trial.policy.threshold("rules_share" if rules else "plain_share")
    if said < limit * told:
        wanted = _asked_for(str(text.get("document", "")), prompts[0]) if not signs else 0.0
        code = "foreign.rules_short" if wanted >= trial.policy.threshold("asked_share") else "foreign.rules_missing"
        trial.find(code, f"the prompt has about {said:.0f} words for a statement of {told}: rules are left out", 0)


def _rules_of(prompt: str) -> list[str]:
    """The sentences and lines that do not only say how input and answer are written."""
    return [part for part in _SENTENCES.split(prompt) if part and not _FORMAT.search(part)]


def _asked_for(document: str, prompt: str) -> float:
    """The share of the words that say what is asked for which an English prompt has, too."""
    found = _OUTPUT.search(document)
    words = {_stem(word) for word in _words_of(found.group(1)) if not _EMPTY.fullmatch(word)} if found else set()
    own = {_stem(word) for word in _words_of(prompt)}
    return len(words & own) / len(words) if words else 0.0


def _words_of(text: str) -> list[str]:
    return re.findall(r"[a-z]{3,}", text.lower())


def _stem(word: str) -> str:
    return word.removesuffix("s").removesuffix("e")[:5]


def fields_told(trial: Trial) -> None:
    """Which fields of an instance its prompt tells."""
    numbers = [n for n, item in enumerate(trial.made) if item][: PAIRS + 1]
    asked = [[n, other, None] for n, other in itertools.pairwise(numbers)]
    told = trial.first.deeper("perturb", trial.name, seed=trial.plan.seed, asked=asked, label="")
    trial.told = frozenset(str(item[0]) for item in told if item[1]) if isinstance(told, list) else frozenset()


def facts_missing(trial: Trial) -> None:
    """Give each field of an instance the value of another case: does the verdict change, and the prompt not?"""
    numbers = [n for n in trial.right if n < len(trial.made) and trial.made[n]]
    if not numbers:
        numbers = [n for n, item in enumerate(trial.made) if item]
    asked: list[Any] = [
        [n, numbers[(place + 1) % len(numbers)], trial.put(trial.right[n]) if n in trial.right else None]
        for place, n in enumerate(numbers[:PAIRS])
    ]
    reference: Any = trial.result.figures.get("reference")
    label = str(reference.get("layout", "")) if isinstance(reference, dict) and trial.truth else ""
    told = trial.first.deeper("perturb", trial.name, seed=trial.plan.seed, asked=asked, label=label)
    if not isinstance(told, list):
        trial.skip("perturbed fields", "the instances cannot be changed")
        return
    by_field: dict[str, list[list[Any]]] = defaultdict(list)
    for item in told:
        by_field[str(item[0])].append(item)
    unseen = []
    for field, tries in by_field.items():
        if any(item[1] for item in tries) or len(tries) < 3 or _is_answer(trial, field):
            continue
        if _written_out(trial, {item[4] for item in tries}):
            continue
        verdicts, outputs = sum(bool(item[2]) for item in tries), sum(bool(item[3]) for item in tries)
        if max(verdicts, outputs) * 2 >= len(tries):
            unseen.append((outputs * 2 >= len(tries), field, max(verdicts, outputs), len(tries)))
    unseen.sort(
        key=lambda item: not item[0]
    )  # first what the reference code, too, depends on: no shortcut of the scorer
    trial.result.figures["fields_not_in_prompt"] = [field for _, field, _, _ in unseen]
    if unseen:
        proved, field, times, tried = unseen[0]
        message = (
            f"{shown(field, 40)!r} decides the verdict ({times} of {tried} changes) and the prompt does not tell it"
        )
        code = "foreign.fact_missing" if proved else "foreign.fact_doubtful"
        trial.find(code, message, asked[0][0], str(asked[0][2] or ""), f"field {field}")


def _written_out(trial: Trial, same: set[int | None]) -> bool:
    """Whether a field that is the same in all cases may stand in the words of the prompt, as a number or spelt."""
    steady = {value for value in same if value is not None}
    if not steady:
        return False
    prompt = next(str(item["question"]) for item in trial.made if item)
    return any(
        -1 <= value <= SPELT or re.search(rf"(?<!\d){value:,}(?!\d)|(?<!\d){value}(?!\d)", prompt) for value in steady
    )


def _is_answer(trial: Trial, field: str) -> bool:
    """Whether a field holds the answer, a part of it, or what follows from other fields."""
    if ANSWERS.search(field):
        return True
    stored: Any = trial.result.figures.get("stored_answer")
    if isinstance(stored, dict) and field in stored.get("path", []):
        return True
    same = lengths = tried = 0
    for number, right in list(trial.right.items())[:12]:
        payload = trial.made[number].get("payload")
        if not isinstance(payload, dict) or field not in payload:
            continue
        tried += 1
        value = re.findall(r"[\w.-]+", str(payload[field]))
        given = re.findall(r"[\w.-]+", right)
        same += bool(value) and (set(value) <= set(given) or set(given) <= set(value))
        lengths += any(
            payload[field] == len(other)
            for name, other in payload.items()
            if isinstance(other, list | str) and name != field
        )
    return tried == 0 or same * 2 >= tried or lengths * 2 >= tried


def words_missing(trial: Trial) -> None:
    """What the answer may be and the prompt never says: a modulus, a word, -1 for impossible; a picture."""
    text = trial.first.deeper("text", trial.name)
    prompts = [str(item["question"]) for item in trial.made if item]
    whole = "\n".join(prompts[:40])
    if any("<image>" in prompt for prompt in prompts):
        trial.find("foreign.picture_missing", "the prompt has “<image>” where a picture was", _first(trial, "<image>"))
    rights = {n: text.strip() for n, text in {**trial.truth, **trial.right}.items()}
    if isinstance(text, dict):
        _modulus(trial, str(text.get("source", "")), str(text.get("document", "")), whole, rights)
    _minus_one(trial, whole, rights)
    _words(trial, whole, rights)


def _first(trial: Trial, mark: str) -> int:
    return next(n for n, item in enumerate(trial.made) if item and mark in str(item["question"]))


def _modulus(trial: Trial, source: str, document: str, prompts: str, rights: dict[int, str]) -> None:
    code = source.partition("请完成上述")[2] or source
    for number, pattern in _IN_SOURCE.items():
        if re.search(rf"% ?(?:{pattern}|self\.mod|cls\.mod|MOD|mod)\b", code) and re.search(pattern, code):
            if re.search(_MODULI[number], prompts.replace("\\", "")) or re.search("modul|取模|mod ", prompts):
                continue
            large = [n for n, right in rights.items() if right.isdecimal() and len(right) >= 8]
            if large and re.search(_MODULI[number], document):
                message = f"answers are taken modulo {number}, which the prompt does not say"
                trial.find("foreign.fact_missing", message, large[0], rights[large[0]], "a modulus")
            return


def _minus_one(trial: Trial, prompts: str, rights: dict[int, str]) -> None:
    minus = [n for n, right in rights.items() if right == "-1"]
    if not minus or any(re.fullmatch(r"-\d+", right) and right != "-1" for right in rights.values()):
        return
    if re.search(r"[-−–]\s?1\b", prompts):
        return
    message = f"-1 is the right answer of {len(minus)} of {len(rights)} cases, and the prompt never says so"
    trial.find("foreign.fact_missing", message, minus[0], trial.put("-1"), "a word for impossible")


def _words(trial: Trial, prompts: str, rights: dict[int, str]) -> None:
    known = prompts.casefold()
    for number, right in rights.items():
        if re.fullmatch(r"[A-Za-z]{2,20}", right) and right.casefold() not in known:
            others = set(rights.values())
            if len(others) <= 6:
                message = (
                    f"the answer {shown(right, 30)!r} is one of {len(others)} words, and the prompt never names it"
                )
                trial.find("foreign.fact_missing", message, number, trial.put(right), "a word")
                return
