"""A benchmark's datasheet: what a person should know before using its numbers. Made from the head alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from bootcamp_kit.counted import counted
from bootcamp_kit.jsondata import Json

TEXT = """# {name} {version}

{items} of {tasks} in {families}. Canary: `{canary}`

## How it was made

Every item is one case of an approved task, made by its generator from (task, level, seed) and nothing else. Seeds are
walked from {first_seed}; a seed is taken when its payload is new within the task{outside}{balance}. Nothing was chosen
by looking at a model's answers. Seeds tried: {seeds}. Building it again from the same library gives the same bytes;
`bootcamp benchmark verify` makes every item again and compares payload and prompt.

## How to read a score

A response is scored by the task's verifier in a sandbox. A response without a well-formed answer is malformed and
scores 0. A response that could not be scored (provider, verifier or machine failed) is *unscored*: it is counted and
left out of the mean. The headline number is the mean of the families' means, weighted as below; intervals treat items
of one task as dependent. It says how well a model does on these tasks, not on reasoning in general.

## What is known to be missing

One turn, text only, English prompts. The tasks were made by programs and models and approved by people who did not
solve every item. There is no human baseline. A model that was trained on other cases of the same generators has an
advantage that key-disjointness does not remove. Kit version {kit_version}.

## Families

| family | tasks | items | weight |
|---|---|---|---|
{family_rows}

## Tasks

| task | version | family | levels | items | answer | licence | content |
|---|---|---|---|---|---|---|---|
{task_rows}
"""


def datasheet(head: Mapping[str, Json]) -> str:
    """Markdown."""
    tasks, items = Counter[str](), Counter[str]()
    for task in head["tasks"]:
        tasks[task["family"]] += 1
        items[task["family"]] += task["items"]
    share = head["most_of_one_answer"]
    return TEXT.format(
        name=head["name"],
        version=head["version"],
        items=counted(head["items"], "item"),
        tasks=counted(len(head["tasks"]), "task"),
        families=counted(len(tasks), "family", "families"),
        canary=head["canary"],
        first_seed=head["first_seed"],
        outside=" and in none of the exports named at building",
        balance="" if share is None else f", and while no answer has more than {share:.0%} of its level",
        seeds=seeds_in_words(head),
        kit_version=head["kit_version"],
        family_rows="\n".join(
            f"| {name} | {tasks[name]} | {items[name]} | {head['weights'][name]:g} |" for name in sorted(tasks)
        ),
        task_rows="\n".join(_row(task) for task in head["tasks"]),
    )


def seeds_in_words(head: Mapping[str, Json]) -> str:
    """What became of every seed that was tried at building, as a sum."""
    counts = dict(head["seeds"])
    words = [f"{counts.pop('tried')} = {counts.pop('taken')} taken"]
    return " + ".join([*words, *(f"{number} {what}" for what, number in sorted(counts.items()))])


def _row(task: Mapping[str, Json]) -> str:
    levels = ", ".join(map(str, task["levels"]))
    cells = (task["task_id"], task["version"], task["family"], levels, task["items"], task["answer"], task["licence"])
    return "| " + " | ".join(map(str, cells)) + f" | `{task['content_hash'][:12]}` |"
