"""Two small approved tasks: a sound one, and one whose verifier misbehaves on request."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import pytest
import typer

from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.library import Library
from chat_models.protocol import ChatRequest
from chat_models.scripted import ScriptedModel

CARD = """
id = "{id}"
version = "1.0.0"
title = "{id}"
summary = "Double a number."
family = "{family}"
tags = ["toy"]
solutions = "unique"
author = "compiler/1"

[answer]
kind = "integer"
format = "one integer between <answer> and </answer>"
example = "<answer>7</answer>"

[source]
kind = "brief"
name = "tests"
licence = "{licence}"
sha256 = "0000000000000000000000000000000000000000000000000000000000000000"

[difficulty.axes]
digits = [1, 2, 3, 5]

[limits]
seconds_per_call = {seconds}
"""

BOOTCAMP = '''
"""Double a number."""

from bootcamp_kit.answers import integer, last_answer
from bootcamp_kit.case import Score
from bootcamp_kit.contract import Bootcamp


class Doubling(Bootcamp):
    """Double a number."""

    def generate(self, rng, params):
        return {{"n": rng.randrange(10 ** params["digits"])}}

    def prompt(self, case):
        return f"What is twice {{case.payload['n']}}? End with <answer>…</answer>."

    def parse(self, response):
        return integer(last_answer(response))

    def verify(self, case, answer):
        {trick}
        if answer == 2 * case.payload["n"]:
            return Score.correct()
        if answer == 2 * case.payload["n"] + 1:
            return Score.partial(0.5, "one off")
        return Score.wrong("not twice the number")


BOOTCAMP = Doubling()
'''

TRICKS = """
        if answer == 666:
            raise RuntimeError("the verifier fell over")
        if answer == 667:
            while True:
                pass
        if answer == 668:
            __import__("os")._exit(7)
"""

ORACLE = '''
"""Reference solver."""

from bootcamp_kit.contract import Oracle


class Doubler(Oracle):
    """Adds the number to itself."""

    def solve(self, case):
        return f"<answer>{case.payload['n'] + case.payload['n']}</answer>"


ORACLE = Doubler()
'''


def task_files(
    name: str, family: str = "arithmetic", *, trick: str = "", licence: str = "CC0-1.0", seconds: float = 5.0
) -> dict[str, bytes]:
    return {
        "card.toml": CARD.format(id=name, family=family, licence=licence, seconds=seconds).encode(),
        "brief.md": b"Double a number.\n",
        "bootcamp.py": BOOTCAMP.format(trick=trick.strip() or "pass").encode(),
        "oracle.py": ORACLE.encode(),
        "examples.toml": b"",
    }


def put_task(root: Path, files: dict[str, bytes]) -> TaskFolder:
    """Write an approved task into the library ``root``."""
    folder = TaskFolder(files)
    place = root / folder.card.address
    folder.write(place)
    (place / "evidence").mkdir()
    (place / "evidence" / "record.toml").write_text(f'[approval]\ncontent_hash = "{folder.content_hash}"\n', "utf-8")
    return folder


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    root = tmp_path / "library"
    put_task(root, task_files("doubling"))
    put_task(root, task_files("tricky", "tricks", trick=TRICKS, seconds=1.0))
    return root


@pytest.fixture
def folders(shelf: Path) -> dict[str, TaskFolder]:
    return {entry.card.id: TaskFolder.read(entry.path) for entry in Library(shelf).scan()[0]}


@pytest.fixture
def doubler() -> Callable[..., ScriptedModel]:
    """Makes a model that doubles; ``wrong`` numbers get a wrong answer."""

    def make(say: Callable[[int, ChatRequest], str] | None = None, *, name: str = "scripted:doubler") -> ScriptedModel:
        def answer(request: ChatRequest) -> str:
            number = int(request.messages[-1].text.split("twice ")[1].split("?")[0])
            return say(number, request) if say else f"<answer>{2 * number}</answer>"

        return ScriptedModel(answer, name=name)

    return make


def _single(command: Callable[..., None]) -> typer.Typer:
    app = typer.Typer(rich_markup_mode=None)
    app.command()(command)
    return app


@dataclass(frozen=True)
class Done:
    """What a command said and returned."""

    stdout: str
    stderr: str
    code: int


@pytest.fixture
def bootcamp(
    tmp_path: Path, shelf: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Done]:
    """Runs the verbs of this room in this process, in a folder of their own; asserts the exit code."""
    from bootcamp_cli.output import guarded

    for key in [key for key in os.environ if key.startswith("BOOTCAMP_") or "API_KEY" in key]:
        monkeypatch.delenv(key)
    monkeypatch.setenv("BOOTCAMP_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("BOOTCAMP_LIBRARY", str(shelf))
    monkeypatch.chdir(tmp_path)

    def run(verb: str, *arguments: object, code: int = 0) -> Done:
        module = import_module(f"bootcamp_cli.commands.{verb}")
        app = module.build_app() if hasattr(module, "build_app") else _single(getattr(module, verb))
        capsys.readouterr()
        got = guarded(lambda: app([str(item) for item in arguments], standalone_mode=False))
        done = Done(*capsys.readouterr(), got)
        assert done.code == code, f"exit {done.code}\n{done.stdout}\n{done.stderr}"
        return done

    return run
