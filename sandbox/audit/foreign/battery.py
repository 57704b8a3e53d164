"""What is measured about one foreign task: a stored answer, its changes, constants, marked texts, two hash seeds.

Nothing is assumed about the library but three calls: a question, perhaps a stored answer, a score. Whether an accepted
change of a right answer is wrong is decided only where nothing else is possible (no answer at all, another number
where one number is right on nearly all cases); everything else that is accepted is counted as undecided.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from bootcamp_kit.jsondata import Json
from sandbox.audit.foreign import (
    attacks,
    borrowed,
    conditions,
    facts,
    formats,
    optimum,
    parts,
    shortcuts,
    sweep,
    truth,
)
from sandbox.audit.foreign.asking import GIVEN_UP, PATIENCE, TOO_SLOW
from sandbox.audit.foreign.guest_layouts import ANSWERS
from sandbox.audit.foreign.texts import LOOKS, at, forms_of, missing, paths, seen
from sandbox.audit.foreign.trial import Result, Trial
from sandbox.audit.statistics import rate
from sandbox.checks.bounds import lower_bound
from sandbox.checks.observed import shown

CHUNK = 65
MOST_CHARACTERS = 1_500_000
DETERMINISM_S, SLOW_CASES, VERY_SLOW_S = 1.5, 2, 5.0
"""Work for the first cases above which only so many of them are made again, and above which one is."""


class Battery(Trial):
    """Measures one task."""

    _seconds = 0.0

    def run(self) -> Result:
        """All of it."""
        self.first.load()
        self.second.load()
        self.second.patience = PATIENCE
        self.second.allow(self.plan.task_s)
        self._phase(self.plan.cases_s)
        if not self._cases():
            return self.result
        self._determinism()
        self._more_cases()
        self._distinct()
        self._phase(self.plan.truth_s)
        self._stored_answers()
        facts.rules_missing(self)
        truth.from_reference(self)
        parts.stored_in_parts(self)
        parts.round_trip(self, self._answers_by_behaviour)
        parts.same_prompts(self)
        self._gone("some right answers")
        self._phase(self.plan.task_s)
        self._responses()
        self._gone("some responses")
        self._phase(self.plan.sweep_s)
        sweep.sweep_axes(self)
        for code, (number, text, problem) in self.endings.items():
            message = f"the scorer does not take {shown(text, 40)!r}: {shown(problem, 120)}"
            self.find(code, message, number, text, problem)
        return self.result

    def _responses(self) -> None:
        """What is tried with the scorer, the most telling first."""
        formats.examples_read(self)
        formats.rounded_as_asked(self)
        formats.nothing_read(self)
        self._long_answers()
        facts.fields_told(self)
        attacks.try_marked(self)
        attacks.try_constants(self)
        if self.right:
            conditions.try_conditions(self)
            optimum.try_others(self)
            optimum.try_longer(self)
            borrowed.try_borrowed(self)
        shortcuts.try_rules(self)
        shortcuts.try_parts(self)
        attacks.try_nonsense(self)
        attacks.try_odd(self)
        if self.right:
            attacks.try_mutants(self)
            attacks.try_hedges(self)
            attacks.try_white_space(self)
        else:
            for check in ("wrong answers", "broken conditions", "hedges", "white space"):
                self.skip(check, "no right answer is known")
        facts.facts_missing(self)
        facts.words_missing(self)

    def _phase(self, seconds: float) -> None:
        """So much work from now on, and patience anew."""
        self.first.patience = PATIENCE
        self.first.allow(seconds)

    def _gone(self, what: str) -> None:
        """Tell what was left out."""
        if self.first.patience <= 0 or self.over():
            self.skip(what, GIVEN_UP)

    def _more_cases(self) -> None:
        """Hundreds of them where that is quick: a fault of one case in a hundred shows in no forty."""
        size = sum(item.get("length", 0) for item in self.made)
        if self._seconds > self.plan.quick_s or size * self.plan.more_cases > MOST_CHARACTERS * len(self.made):
            return
        for start in range(len(self.made), self.plan.more_cases, CHUNK):
            if self.over():
                return
            made = self.first.make(self.name, self.plan.seed, CHUNK, start)
            if isinstance(made, str) or len(made) < CHUNK:
                self.first.make(self.name, self.plan.seed, len(self.made))
                return
            self.made += [item if "problem" not in item else {} for item in made]
            bad = next((number for number, item in enumerate(made) if "problem" in item), None)
            if bad is not None and not any(item.code == "foreign.generate_crash" for item in self.result.findings):
                what = str(made[bad]["problem"])
                message = f"case {start + bad} cannot be made: {shown(what)}"
                self.find("foreign.generate_crash", message, start + bad, seen=what)

    def _cases(self) -> bool:
        before = self.first.spent
        made = self.first.make(self.name, self.plan.seed, self.plan.cases)
        self._seconds = self.first.spent - before
        if isinstance(made, str):
            slow = "timeout" in made or made.startswith(TOO_SLOW)
            code = "foreign.generate_limit" if slow else "foreign.generate_crash"
            self.find(code, f"cases cannot be made: {shown(made)}", seen=made)
            return False
        problems = [item for item in made if "problem" in item]
        if problems and problems[0]["at"] == "construct":
            return self._not_constructed(str(problems[0]["problem"]))
        if problems:
            numbers = [number for number, item in enumerate(made) if "problem" in item]
            what = Counter(str(item["problem"]) for item in problems).most_common(1)[0][0]
            if missing(what):
                self.result.reason = what
                return False
            message = f"{len(problems)} of {len(made)} cases cannot be made: {shown(what)}"
            code = "foreign.generate_limit" if what.startswith(TOO_SLOW) else "foreign.generate_crash"
            self.find(code, message, numbers[0], seen=what)
        self.made = [item if "problem" not in item else {} for item in made]
        good = [item for item in self.made if item]
        if good:
            self._look_at(good)
        return bool(good)

    def _not_constructed(self, problem: str) -> bool:
        if missing(problem) or "LookupError" in problem:
            self.result.reason = problem
        else:
            self.find(
                "foreign.construct", f"the task cannot be set up with its defaults: {shown(problem)}", seen=problem
            )
        return False

    def _look_at(self, good: list[dict[str, Any]]) -> None:
        odd = [item for item in good if item["question_type"] != "str" or not str(item["question"]).strip()]
        if odd:
            self.find("foreign.prompt", f"{len(odd)} of {len(good)} prompts are no text", self.made.index(odd[0]))
        longest = max(item["length"] for item in good)
        if longest > self.policy.threshold("prompt_characters"):
            self.find("foreign.prompt_long", f"a prompt of {longest:,} characters")
        self.result.figures["longest_prompt"] = longest
        unfit = next((item["payload_problem"] for item in good if item["payload_problem"]), "")
        if unfit:
            self.find("foreign.payload", f"what the scorer needs is {shown(unfit)}", 0, seen=unfit)

    def _distinct(self) -> None:
        good = [item for item in self.made if item]
        distinct = len({item["question"] for item in good})
        self.result.figures |= {"cases": len(good), "distinct": distinct}
        if distinct < self.policy.threshold("distinct_share") * len(good):
            few = distinct < self.policy.threshold("few_cases")
            code = "foreign.few_cases" if few else "foreign.few_enough"
            self.find(code, f"{distinct} different prompts in {len(good)} cases", 0)

    def _determinism(self) -> None:
        count = len(self.made) if self._seconds <= DETERMINISM_S else min(SLOW_CASES, len(self.made))
        count = 1 if self._seconds > VERY_SLOW_S else count
        again = self.first.make(self.name, self.plan.seed, count)
        other = self.second.make(self.name, self.plan.seed, count)
        for made, code, what in (
            (again, "foreign.process", "asked again in the same process"),
            (other, "foreign.hash_seed", "in a process with another hash seed"),
        ):
            if isinstance(made, str):
                self.skip("determinism", made)
                return
            numbers = [
                n for n, (a, b) in enumerate(zip(self.made, made, strict=False)) if a and a["digest"] != b.get("digest")
            ]
            if numbers:
                message = f"{len(numbers)} of {count} cases of the same seed change {what}"
                self.find(code if self.plan.seeds_promised else "foreign.unseeded", message, numbers[0])
                if code == "foreign.process":
                    self._make_anew()
                return  # what changes within one process says nothing about hash seeds
        self.result.figures["determinism"] = rate(0, count)

    def _make_anew(self) -> None:
        """Cases that no seed fixes, all in one go: what is asked about from now on are those made last."""
        made = self.first.make(self.name, self.plan.seed, len(self.made))
        if not isinstance(made, str):
            self.made = [item if "problem" not in item else {} for item in made]

    def _stored_answers(self) -> None:
        stored = {n: str(item["answer"]) for n, item in enumerate(self.made) if item and item["answer"] is not None}
        if not stored:
            self.skip("stored answers", "the library stores none for this task")
            self._answers_by_behaviour()
            return
        answered = dict(zip(stored, self.ask(list(stored.items())), strict=True))
        self.right = {n: stored[n] for n, item in answered.items() if item.value == 1.0}
        wrong = [n for n in stored if n not in self.right and answered[n].known]
        known = len(wrong) + len(self.right)
        if not known:
            self.skip("stored answers", next(iter(answered.values())).problem)
            return
        self.result.figures["stored_answers_rejected"] = rate(len(wrong), known)
        if wrong:
            first = answered[wrong[0]]
            code = "foreign.answer_not_one" if len(wrong) > known // 2 else "foreign.answer_sometimes_not_one"
            message = f"{len(wrong)} of {known} stored answers score below 1"
            self.find(code, message, wrong[0], stored[wrong[0]], seen(first))
        self._concentration(list(stored.values()))

    def _concentration(self, answers: list[str]) -> None:
        top, times = Counter(answers).most_common(1)[0]
        self.result.figures["top_answer"] = {"share": round(times / len(answers), 4), "n": len(answers)}
        if lower_bound(times, len(answers)) > 0.5:
            message = f"{shown(top, 40)!r} is the stored answer of {times} of {len(answers)} cases"
            self.find("foreign.answers_concentrate", message, answers.index(top), top)

    def _long_answers(self) -> None:
        sizes = sorted(len(text) for text in {**self.truth, **self.right}.values())
        if len(sizes) >= SLOW_CASES and sizes[len(sizes) // 2] > self.policy.threshold("prompt_characters"):
            message = f"half of the right answers have more than {sizes[len(sizes) // 2]:,} characters"
            self.find("foreign.answer_long", message, seen=f"{len(sizes)} right answers")

    def _answers_by_behaviour(self) -> None:
        """Tries the payload's own values, in the forms that prompts ask for, as answers."""
        forms = forms_of([str(item["question"]) for item in self.made if item])
        numbers = [n for n, item in enumerate(self.made) if item and item["payload"] is not None]
        if not numbers:
            return
        for path in paths(self.made[numbers[0]]["payload"]):
            for look in LOOKS:
                texts = {
                    n: text for n in numbers for text in [at(self.made[n]["payload"], path, look)] if text is not None
                }
                for form in forms if texts else ():
                    if self._stored_at(path, look, form, texts):
                        return
        self.form = forms[0]

    def _right_otherwise(self, number: int, path: tuple[str, ...], form: str) -> bool:
        """Whether the stored value, written in some other way, is accepted: then only the way was wrong."""
        texts = {text for look in LOOKS for text in [at(self.made[number]["payload"], path, look)] if text is not None}
        asked = [(number, form.replace("§", text)) for text in sorted(texts)]
        return any(item.value == 1.0 for item in self.ask(asked))

    def _stored_at(self, path: tuple[str, ...], look: str, form: str, texts: dict[int, str]) -> bool:
        """Whether the values there, written so, are the stored answers; if so they are kept."""
        tried = [(n, form.replace("§", text)) for n, text in list(texts.items())[:6]]
        if sum(item.value == 1.0 for item in self.ask(tried)) < max(2, len(tried) // 2 + 1):
            return False
        whole = [(n, form.replace("§", text)) for n, text in texts.items()]
        scored = self.ask(whole)
        right = {n: texts[n] for (n, _), item in zip(whole, scored, strict=True) if item.value == 1.0}
        told = ANSWERS.search(path[-1]) is not None
        if len(right) < len(whole) * (0.5 if told else 0.95) or (not told and len(set(right.values())) < 2):
            return False
        self.form, self.right = form, right
        figures: dict[str, Json] = {
            "path": list(path),
            "look": look,
            "form": form,
            "right": len(right),
            "n": len(whole),
        }
        self.result.figures["stored_answer"] = figures
        lost = [(pair, item) for pair, item in zip(whole, scored, strict=True) if pair[0] not in right and item.known]
        lost = [(pair, item) for pair, item in lost if not self._right_otherwise(pair[0], path, form)]
        if lost and told:
            message = f"{len(lost)} of {len(whole)} stored answers score below 1"
            (number, text), item = lost[0]
            self.find("foreign.answer_sometimes_not_one", message, number, text, seen(item))
        if told:
            self._concentration(list(texts.values()))
        return True
