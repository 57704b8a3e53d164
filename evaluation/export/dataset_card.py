"""``README.md`` of an export: the card that Hugging Face ``datasets`` and its hub read, and a person.

Without it ``load_dataset(FOLDER)`` would take the manifest for rows. It says what manifest and cards say, so the
same order gives the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from bootcamp_kit.counted import counted
from bootcamp_kit.jsondata import Json
from bootcamp_kit.library import Task
from sandbox.escaping import escaped

NAME = "README.md"
MAX_CELL = 200
_PLAIN_LICENCE = re.compile(r"[A-Za-z0-9.+-]+")

TEXT = """---
{licences}
configs:
- config_name: default
  data_files:
  - split: {split}
    path: "{files}"
---
# {cases} of {tasks}

Made by their generators from (task, level, seed) and nothing else; distinct by payload; format `{format}`, kit version
{kit_version}. The reference solvers' answers are not here: responses are scored by the task's verifier. Licence and
lineage are in every row. What was asked for and what became of every seed is in `export.json`.

What scores in Python takes the tasks from the library that the environment variable `BOOTCAMP_LIBRARY` names, else from
the installed one. Other bytes than the table's are refused.

```python
from datasets import load_dataset
rows = load_dataset("PATH/TO/THIS/FOLDER", split="{split}")
```

| task | version | family | licence | source | attribution | content |
|---|---|---|---|---|---|---|
{task_rows}
"""


def dataset_card(tasks: Sequence[Task], manifest: Mapping[str, Json], suffix: str) -> str:
    """Markdown under a YAML head, in which nothing stands that somebody else could have written at will."""
    return TEXT.format(
        licences=_licences({task.card.source.licence for task in tasks}),
        split=re.sub(r"\W", "_", manifest["split"], flags=re.ASCII) or "train",
        files=f"part-*{suffix}",
        cases=counted(manifest["counts"]["written"], "case"),
        tasks=counted(len(tasks), "task"),
        format=manifest["format"],
        kit_version=manifest["kit_version"],
        task_rows="\n".join(map(_row, tasks)),
    )


def _licences(named: set[str]) -> str:
    """The hub's key: SPDX ids in small letters; an expression has no id there."""
    if not named or not all(_PLAIN_LICENCE.fullmatch(name) for name in named):
        return "license: other"
    return "license:\n" + "\n".join(f"- {name.lower()}" for name in sorted(named))


def _row(task: Task) -> str:
    card = task.card
    cells = (card.id, card.version, card.family, card.source.licence, card.source.name, card.source.attribution)
    return "| " + " | ".join(map(_cell, cells)) + f" | `{task.content_hash[:12]}` |"


def _cell(text: str) -> str:
    plain = " ".join(escaped(text, MAX_CELL).split())
    return plain.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("`", "'")
