"""What Hugging Face ``datasets`` and a person are told of an export."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bootcamp_kit.library import Task, load
from evaluation.export.dataset_card import NAME, dataset_card
from evaluation.export.formats import MODULES
from evaluation.export.items import Selection
from evaluation.export.run import Order, export


@pytest.fixture
def task(shelf: Path) -> Task:
    return load("doubling", root=shelf)


def test_the_card_names_the_shards_the_split_and_the_licences(task: Task, tmp_path: Path) -> None:
    export([task], Order("jsonl", Selection((4,), 0, 7), "held-out"), tmp_path / "out")
    head, _, text = (tmp_path / "out" / NAME).read_text().removeprefix("---\n").partition("\n---\n")
    assert head.startswith("license:\n- cc0-1.0\n") and 'path: "part-*.jsonl"' in head
    assert "split: held_out\n" in head, "a split's name there is one word"
    assert text.startswith("# 7 cases of 1 task\n")


def test_a_source_cannot_write_into_the_card(task: Task) -> None:
    source = replace(task.card.source, name="a | b\n---\nconfigs: <script>`x`\x1b[2J", licence="MIT OR Apache-2.0")
    strange = Task(replace(task.card, source=source), task.content_hash, task.bootcamp)
    manifest = {"split": "a: [\nb", "counts": {"written": 1}, "format": "jsonl", "kit_version": "1"}
    card = dataset_card([strange], manifest, ".jsonl")
    head, _, text = card.removeprefix("---\n").partition("\n---\n")
    assert head.startswith("license: other\nconfigs:\n") and head.count("\n") == 5 and "split: a____b\n" in head
    (row,) = [line for line in text.splitlines() if line.startswith("| doubling")]
    assert "a \\| b" in row and "<" not in row and "\x1b" not in card and "\n---\n" not in text


def test_datasets_finds_the_rows_of_every_format_by_the_folder_alone(task: Task, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets", reason="Hugging Face datasets is not installed")
    for name in MODULES:
        export([task], Order(name, Selection((4,), 0, 7)), tmp_path / name)
        found = datasets.load_dataset(str(tmp_path / name), cache_dir=str(tmp_path / "cache"))
        assert found["train"].num_rows == 7, name
