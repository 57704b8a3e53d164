"""Ctrl-C, two runs at once, a full disk: a clear message, the right exit code, nothing lost, and resuming goes on."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from sandbox.ownership import PREFIX
from sandbox.service import Sandbox
from tests.integration.conftest import BRIEFS, ROOT, Place

pytestmark = pytest.mark.docker

AT_WORK_S = 200.0
TWO = (str(BRIEFS / "ivy_nights.md"), str(BRIEFS / "limping_hand.md"))


def containers_of(process_id: int, sandbox: Sandbox) -> int:
    """How many containers that process has left behind."""
    client = sandbox.engine.connect()
    try:
        return len(client.api.containers(all=True, filters={"label": f"{PREFIX}.pid={process_id}"}))
    finally:
        client.close()


def begun(process_id: int) -> bool:
    """Whether the interpreter is up and the program's own imports have begun; before that Ctrl-C is Python's alone."""
    return "site-packages" in Path(f"/proc/{process_id}/maps").read_text()


@pytest.mark.parametrize("after_s", [0.1, 1.0, None], ids=["while it starts", "early", "at work"])
def test_ctrl_c_keeps_what_was_done_and_says_how_to_go_on(
    after_s: float | None, place: Place, sandbox: Sandbox
) -> None:
    process = place.popen("author", *TWO)
    if after_s is None:
        until = time.monotonic() + AT_WORK_S
        while not containers_of(process.pid, sandbox) and process.poll() is None and time.monotonic() < until:
            time.sleep(0.05)
    else:
        while process.poll() is None and not begun(process.pid):
            time.sleep(0.01)
        time.sleep(after_s)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=240)
    # Minus 2: interrupted while an import ran a text as code, Python ends by the signal itself. A shell says 130, too.
    assert process.returncode in (0, 130, -signal.SIGINT), said
    assert "Traceback" not in said
    assert not containers_of(process.pid, sandbox)
    if "--resume" in said:
        place.bootcamp("author", "--resume", "last")
    elif process.returncode:
        place.bootcamp("author", *TWO)
    assert [item["state"] for item in place.json("review", "list")] == ["queued", "queued"]


def test_two_runs_at_once_share_one_state_folder(place: Place) -> None:
    runs = [place.popen("author", *TWO) for _ in range(2)]
    for run in runs:
        _, said = run.communicate(timeout=240)
        assert run.returncode == 0, said
    assert len(place.json("review", "list", "--all")) == 2, "no candidate twice"
    assert place.json("review", "log", "--verify")["problems"] == []
    assert len(place.json("runs")) == 2


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small file system needs root")
def test_a_full_disk_is_a_machine_error_and_the_run_goes_on_with_space(place: Place) -> None:
    place.state.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "none", place.state], check=True)
    try:
        process = place.popen("author", *TWO)
        _, said = process.communicate(timeout=240)
        assert process.returncode == 3, said
        assert "Traceback" not in said
        assert "disk" in said or "space" in said
        subprocess.run(["mount", "-o", "remount,size=64m", place.state], check=True)
        known = [run for run in place.json("runs") if run["briefs"]]
        place.bootcamp("author", *(("--resume", known[-1]["run_id"]) if known else TWO))
        assert [item["state"] for item in place.json("review", "list")] == ["queued", "queued"]
    finally:
        subprocess.run(["umount", "-l", place.state], check=True)
        assert Path(place.state).is_dir()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_command_that_is_told_to_end_leaves_no_container(
    number: signal.Signals, place: Place, sandbox: Sandbox
) -> None:
    process = place.popen("check", str(ROOT / "tests" / "sound_tasks" / "weights_to_target"))
    until = time.monotonic() + AT_WORK_S
    while not containers_of(process.pid, sandbox) and process.poll() is None and time.monotonic() < until:
        time.sleep(0.05)
    process.send_signal(number)
    _, said = process.communicate(timeout=240)
    assert process.returncode in (0, 128 + number), said
    assert process.returncode == 0 or f"ended by {number.name}" in said
    assert "Traceback" not in said and not containers_of(process.pid, sandbox)
