"""Runs a C++ program on many inputs: compiled in a container without a network, never on the host."""

from __future__ import annotations

import io
import json
import signal
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias

from bootcamp_kit.errors import MachineError
from bootcamp_kit.jsondata import strict_loads
from sandbox.backends import DockerBackend
from sandbox.calls import Call, JobOutcome, Observation, Op
from sandbox.compiled.toolchain import compiler_id, compiler_image, container_options, guest_script
from sandbox.escaping import escaped
from sandbox.image.archive import write_tar
from sandbox.image.rootfs import Entry

if TYPE_CHECKING:
    from docker import DockerClient
    from docker.models.containers import Container

    from sandbox.service import Sandbox

CompiledRunner: TypeAlias = Callable[[str, Sequence[str]], list[Observation]]
"""Runs a C++ program on each input; same order back. ``value`` is {"stdout": str}, as of ``Op.PROGRAM``."""

LIMITS = {"wall_s": 60.0, "cpu_s": 5, "memory_mb": 512, "output_bytes": 2 << 20}
MAX_ANSWER, SECONDS = 256 << 20, 900
_NAMES = {signal.SIGILL: "undefined behaviour", signal.SIGTRAP: "undefined behaviour", signal.SIGABRT: "an abort"}
_NAMES |= {signal.SIGSEGV: "a segmentation fault", signal.SIGFPE: "an arithmetic fault"}


@contextmanager
def compiled_runner(sandbox: Sandbox) -> Iterator[CompiledRunner | None]:
    """A runner on the sandbox's engine; None where there is no compiler, or no engine.

    Each call uses a container of its own, so it may be called from several threads.
    """
    if not isinstance(sandbox.backend, DockerBackend) or not compiler_id():
        yield None
        return
    client = sandbox.engine.connect()
    image: list[str] = []

    def run(code: str, inputs: Sequence[str]) -> list[Observation]:
        from docker.errors import DockerException
        from requests.exceptions import RequestException

        try:
            if not image:
                image.append(compiler_image(client, sandbox.image.tag, sandbox.settings.run_id))
            answer = _answered(client, image[0], sandbox.settings.run_id, code, inputs)
        except (DockerException, RequestException, OSError, tarfile.TarError, ValueError) as error:
            raise MachineError(
                "compiling and running a C++ program", f"{type(error).__name__}: {error}"[:300], "see `bootcamp doctor`"
            ) from error
        return [_observation(answer, number) for number in range(len(inputs))]

    try:
        yield run
    finally:
        client.close()


def _answered(client: DockerClient, image: str, run_id: str, code: str, inputs: Sequence[str]) -> dict[str, Any]:
    options = container_options(run_id)
    # Root without rights, but for handing each run to a user that has none at all and ending it.
    options["cap_add"] = ["SETUID", "SETGID", "KILL"]
    container = client.containers.create(image, ["python3", "/work/run.py"], **options)
    try:
        container.put_archive("/", _packed({"code": code, "inputs": list(inputs), "limits": LIMITS}))
        container.start()
        container.wait(timeout=SECONDS)
        found = strict_loads(_taken_out(container), max_bytes=MAX_ANSWER)
    finally:
        container.remove(force=True, v=True)
    if not isinstance(found, dict):
        raise ValueError("an answer of another form")
    return found


def _packed(job: dict[str, Any]) -> bytes:
    target = io.BytesIO()
    files = {"work/job.json": json.dumps(job), "work/run.py": guest_script()}
    write_tar(target, [Entry(name, data=text.encode()) for name, text in files.items()])
    return target.getvalue()


def _taken_out(container: Container) -> bytes:
    stream, _ = container.get_archive("/work/answer.json")
    with tempfile.TemporaryFile() as file:
        size = 0
        for chunk in stream:
            size += len(chunk)
            if size > MAX_ANSWER:
                raise ValueError("an answer without end")
            file.write(chunk)
        file.seek(0)
        with tarfile.open(fileobj=file) as archive:
            data = archive.extractfile("answer.json")
            if data is None:
                raise ValueError("no answer")
            return data.read()


def _observation(answer: dict[str, Any], number: int) -> Observation:
    """What both builds came to on one input, as one observation."""
    call = Call(Op.PROGRAM, {})
    if fault := answer.get("fault"):
        return Observation(call, JobOutcome.EXCEPTION, error=escaped(str(fault), 400))
    runs = answer["runs"][number]
    plain, checked = runs["plain"], runs["checked"]
    cpu_s = float(plain["cpu_s"])
    for one in (checked, plain):
        if one["how"] in ("timeout", "output-limit"):
            return Observation(call, JobOutcome(one["how"]), cpu_s=cpu_s)
        if one["how"] == "killed":
            name = _NAMES.get(signal.Signals(-int(one["code"])), f"signal {-int(one['code'])}")
            return Observation(call, JobOutcome.KILLED, error=f"it ends with {name}", cpu_s=cpu_s)
    if plain["printed"] != checked["printed"]:
        return Observation(
            call, JobOutcome.EXCEPTION, error="an output that depends on uninitialised memory", cpu_s=cpu_s
        )
    return Observation(call, JobOutcome.OK, value={"stdout": str(plain["printed"])}, cpu_s=cpu_s)
