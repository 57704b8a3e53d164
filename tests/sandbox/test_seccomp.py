"""The filter's decisions, by running its instructions here: both architectures, every call number."""

from __future__ import annotations

import struct

import pytest

from sandbox.guest.seccomp import DENIED, LAST_KNOWN, MACHINES, Machine, filter_for, program

ALLOW, KILL, EPERM, ENOSYS = 0x7FFF0000, 0x80000000, 0x00050001, 0x00050026


def decide(machine: Machine, number: int, arg0: int = 0, arch: int | None = None) -> int:
    """A classic BPF interpreter for the five instructions the filter uses."""
    data = struct.pack("<IIQQ", number, machine.audit_arch if arch is None else arch, 0, arg0)
    code = list(struct.iter_unpack("=HBBI", program(machine)))
    at = value = 0
    while True:
        op, if_true, if_false, k = code[at]
        at += 1
        if op == 0x20:
            value = struct.unpack_from("<I", data, k)[0]
        elif op == 0x06:
            return int(k)
        else:
            hit = {0x15: value == k, 0x35: value >= k, 0x45: bool(value & k)}[op]
            at += if_true if hit else if_false


@pytest.fixture(params=MACHINES)
def machine(request: pytest.FixtureRequest) -> Machine:
    return MACHINES[request.param]


def test_exactly_the_listed_calls_are_refused(machine: Machine) -> None:
    listed = {numbers[machine.column] for numbers in DENIED.values()} - {None}
    refused = {number for number in range(LAST_KNOWN + 1) if decide(machine, number) == EPERM}
    assert refused == listed | {machine.clone}
    assert decide(machine, 435) == ENOSYS


def test_threads_are_cloned_and_processes_are_not(machine: Machine) -> None:
    assert decide(machine, machine.clone, 0x3D0F00) == ALLOW  # what pthread_create passes
    assert decide(machine, machine.clone, 0x01200011) == EPERM  # what fork passes


def test_limits_are_set_on_oneself_only(machine: Machine) -> None:
    assert decide(machine, machine.prlimit64, 0) == ALLOW
    assert decide(machine, machine.prlimit64, 1) == EPERM


def test_foreign_and_future_calls(machine: Machine) -> None:
    assert decide(machine, 1, arch=0x40000003) == KILL  # 32-bit x86
    assert decide(machine, LAST_KNOWN + 1) == ENOSYS
    assert decide(machine, 0x40000000 + 1) == (KILL if machine.x32 else ENOSYS)


def test_an_unknown_machine_has_no_filter() -> None:
    assert filter_for("riscv64") is None and filter_for("x86_64") is not None


def test_jumps_stay_within_a_byte_and_the_program() -> None:
    for machine in MACHINES.values():
        code = list(struct.iter_unpack("=HBBI", program(machine)))
        assert len(code) < 4096
        assert all(at + 1 + max(yes, no) < len(code) for at, (_, yes, no, _) in enumerate(code) if yes or no)
