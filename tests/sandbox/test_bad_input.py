"""Folders, cards and machines as nobody wants them: a clear error, the right exit code, nothing left behind."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bootcamp_cli.main import call
from bootcamp_kit.errors import MachineError, UsageError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.report import Report
from sandbox.image.build import LABEL, ensure_image
from sandbox.image.unpacked import ensure_root
from sandbox.ownership import APP_LABEL
from sandbox.plan import GatePlan
from sandbox.runner import run_gate
from sandbox.service import Sandbox, SandboxSettings
from tests.sandbox.adding_task import generate, program, task_files

ROOT = Path(__file__).parents[2]
SOUND = ROOT / "tests" / "sound_tasks" / "score_total"
TINY = GatePlan(
    cases_per_level=4, screen_cases=2, second_container_cases=2, near_miss_cases=1, still_right_cases=1,
    perturbed_cases=1, property_examples=3, response_examples=4, stable_examples=3, huge=2_000,
)  # fmt: skip


@pytest.fixture
def task(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SOUND, tmp_path / "task"))


def link(task: Path) -> None:
    (task / "notes.py").symlink_to("/etc/passwd")


def link_to_folder(task: Path) -> None:
    (task / "more").symlink_to("/etc")


def pipe(task: Path) -> None:
    os.mkfifo(task / "pipe.py")


def listening(task: Path) -> None:
    here = Path.cwd()
    os.chdir(task)  # a socket's address must be short
    try:
        with socket.socket(socket.AF_UNIX) as one:
            one.bind("s.py")
    finally:
        os.chdir(here)


def not_text(task: Path) -> None:
    Path(os.fsdecode(bytes(task) + b"/\xff\xfe.py")).touch()


def newline(task: Path) -> None:
    (task / "a\nb.py").touch()


def hidden(task: Path) -> None:
    (task / ".env").touch()


def large(task: Path) -> None:
    with (task / "large.py").open("wb") as file:
        file.truncate(100 << 20)


def many(task: Path) -> None:
    for number in range(3000):
        (task / f"f{number}.py").touch()


def deep(task: Path) -> None:
    (task / "a" / "b" / "c" / "d" / "e").mkdir(parents=True)


@pytest.mark.parametrize(
    "spoil",
    [link, link_to_folder, pipe, listening, not_text, newline, hidden, large, many, deep],
    ids=lambda f: f.__name__,
)
def test_a_folder_with_what_does_not_belong_there_is_refused_unread(
    task: Path, spoil: object, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(task)  # type: ignore[operator]
    with pytest.raises(UsageError):
        TaskFolder.read(task)
    assert call(["check", str(task)]) == 2
    shown = capsys.readouterr().err
    assert "→" in shown and "Traceback" not in shown and "\xff" not in shown


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "../up.py", "a/../../b.py", "a//b.py", "nul\0.py", "", ".", "a\\b.py", "é.py"]
)
def test_paths_that_lead_elsewhere_are_refused(path: str) -> None:
    files = TaskFolder.read(SOUND).files
    with pytest.raises(UsageError, match="plain relative path"):
        TaskFolder({**files, path: b""})


def judged(sandbox: Sandbox, changes: dict[str, bytes]) -> Report:
    return run_gate(sandbox, TaskFolder({**TaskFolder.read(SOUND).files, **changes}), plan=TINY)


def with_limits(text: str) -> dict[str, bytes]:
    card = TaskFolder.read(SOUND).files["card.toml"].decode().partition("[limits]")[0]
    return {"card.toml": f"{card}\n[limits]\n{text}\n".encode()}


def without_hash() -> dict[str, bytes]:
    card = TaskFolder.read(SOUND).files["card.toml"]
    return {"card.toml": re.sub(rb'sha256 = "[0-9a-f]*"', b'sha256 = ""', card)}


@pytest.mark.docker
@pytest.mark.parametrize(
    ("changes", "code", "told"),
    [
        ({"bootcamp.py": b"from . import helper\n", "helper.py": b"from .bootcamp import BOOTCAMP\n"},
         "contract.load_crash", "ImportError"),
        (with_limits("memory_mb = 4096"), "contract.card", "more than a container's 512"),
        (with_limits("memory_mb = 1000000"), "contract.card", "out of range"),
        (with_limits('profile = "quantum"'), "contract.card", "limits.profile"),
        (with_limits('profile = "../x"'), "contract.card", "use one of|limits.profile"),
        (without_hash(), "contract.card", r"source\.sha256: ''; 64 hex digits: the SHA-256 of the brief's text"),
    ],
    ids=["circular imports", "much memory", "absurd memory", "a profile that does not exist", "no profile at all",
         "no hash of the brief"],
)  # fmt: skip
def test_a_task_that_asks_for_what_it_cannot_have_gets_a_finding(
    sandbox: Sandbox, changes: dict[str, bytes], code: str, told: str
) -> None:
    report = judged(sandbox, changes)
    found = [finding for finding in report.findings if finding.code == code]
    assert found and re.search(told, str(found[0])), report.findings


@pytest.mark.docker
def test_a_module_named_like_the_kit_or_the_library_shadows_nothing(sandbox: Sandbox) -> None:
    """The task's modules are a package of their own; ``import random`` inside it is the library's."""
    evil = b"raise SystemExit('shadowed')\n"
    body = "def generate(self, rng, params):\n  import random, json, bootcamp_kit.case\n  return {'a': 1, 'b': 2}"
    shadows = {f"{name}.py": evil for name in ("random", "json", "bootcamp_kit", "sitecustomize", "os")}
    files = {**task_files(body), **shadows}
    with sandbox.box(files) as box:
        assert box.fresh(generate(1)).value == {"a": 1, "b": 2}
        assert box.fresh(program("import random, json; print(random.__file__[:12])")).value == {
            "stdout": "/opt/python/\n"
        }


def test_no_daemon_is_a_machine_error_with_advice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], task: Path
) -> None:
    os.environ["BOOTCAMP_DOCKER_HOST"] = f"unix://{tmp_path}/absent.sock"
    try:
        assert call(["check", str(task)]) == 3
    finally:
        del os.environ["BOOTCAMP_DOCKER_HOST"]
    shown = capsys.readouterr().err
    assert "absent.sock" in shown and "ensure_engine.sh" in shown and "Traceback" not in shown


@pytest.fixture
def silent_socket(tmp_path: Path) -> Iterator[Path]:
    """Somebody listens, hangs up at once, and is no engine."""
    path = tmp_path / "s.sock"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()
        server.settimeout(10)

        def hang_up() -> None:
            try:
                while True:
                    server.accept()[0].close()
            except OSError:
                return

        thread = threading.Thread(target=hang_up, daemon=True)
        thread.start()
        yield path
        server.shutdown(socket.SHUT_RDWR)
    thread.join(10)


def test_a_socket_that_is_no_engine_is_named(silent_socket: Path) -> None:
    with pytest.raises(MachineError, match=r"s\.sock"):
        Sandbox(SandboxSettings(docker_host=f"unix://{silent_socket}")).__enter__()


@pytest.mark.skipif(os.geteuid() != 0, reason="needs another user to be")
def test_a_daemon_without_permission_is_named(tmp_path: Path) -> None:
    """As somebody who may not open the socket."""
    path = tmp_path / "s.sock"
    tmp_path.chmod(0o755)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()
        path.chmod(0o600)
        pid = os.fork()
        if pid == 0:
            told = 1
            try:
                os.setgid(65534)
                os.setuid(65534)
                Sandbox(SandboxSettings(docker_host=f"unix://{path}")).__enter__()
            except MachineError as error:
                told = 0 if "PermissionError" in error.found or "not found" in error.found else 2
            finally:
                os._exit(told)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 KiB."""
    place = tmp_path / "tiny"
    place.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tiny", str(place)], capture_output=True, check=False
    )
    if made.returncode:
        pytest.skip("no small file system can be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


def test_a_full_disk_while_a_root_is_unpacked_leaves_no_half_root(tiny_disk: Path) -> None:
    with pytest.raises(MachineError, match="No space left") as caught:
        ensure_root(tiny_disk / "roots")
    assert "free some space" in str(caught.value) and list((tiny_disk / "roots").iterdir()) == []


def builders(client: Any) -> set[str]:
    """Containers that an image is built in; those of candidates inherit the image's label and have one of their own."""
    found = client.api.containers(all=True, filters={"label": LABEL})
    return {item["Id"] for item in found if APP_LABEL not in item["Labels"]}


@pytest.mark.docker
def test_a_full_disk_while_an_image_is_built_leaves_no_image_and_no_container(
    sandbox: Sandbox, tiny_disk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = sandbox.engine.connect()
    for package in ("bootcamp_kit", "sandbox"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "sandbox" / "guest" / "more.py").write_text(f"# {tmp_path}\n")
    monkeypatch.setattr(tempfile, "tempdir", str(tiny_disk))
    try:
        before = builders(client)
        with pytest.raises(MachineError, match="No space left"):
            ensure_image(client, code_root=tmp_path)
        assert list(tiny_disk.iterdir()) == []
        strangers, end = builders(client) - before, time.monotonic() + 240
        while strangers & builders(client):  # somebody else's image is being built; ours would stand there for good
            assert time.monotonic() < end, "a container was left"
            time.sleep(0.2)
    finally:
        client.close()
