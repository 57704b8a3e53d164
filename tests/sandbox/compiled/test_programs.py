"""A compiled program runs in its container only; what both builds do not agree on does not count."""

from __future__ import annotations

import os
from typing import Any

import pytest

from sandbox.calls import JobOutcome
from sandbox.compiled.programs import CompiledRunner, _observation, compiled_runner
from sandbox.compiled.toolchain import container_options
from sandbox.ownership import Owner, is_orphan
from sandbox.service import Sandbox

HOSTILE = {
    "an overflow": ('int main() { int x = 2147483647; x += getchar() > 0; printf("%d", x); }', "undefined"),
    "beyond a vector": ("int main() { std::vector<int> v(3); std::cout << v[getchar()]; }", "abort"),
    "uninitialised": ('int main() { int m; if (getchar() == 0) m = 1; printf("%d", m); }', "uninitialised"),
    "an endless loop": ("int main() { for (volatile int i = 0;; i++) ; }", ""),
    "a fork bomb": ("int main() { for (;;) fork(); }", ""),
    "an endless output": ('int main() { for (;;) puts("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"); }', ""),
    "no program": ("int main() { return x; }", "compile error"),
}


def test_a_container_that_compiles_has_every_limit_and_an_owner() -> None:
    options = container_options("run")
    assert options["network_mode"] == "none" and options["cap_drop"] == ["ALL"]
    assert options["mem_limit"] == options["memswap_limit"]
    assert options["pids_limit"] and options["security_opt"] == ["no-new-privileges"]
    assert not is_orphan(options["labels"], Owner.current(), 0.0)


def _answer(plain: dict[str, Any], checked: dict[str, Any]) -> dict[str, Any]:
    whole = {"how": "ok", "code": 0, "printed": "1\n", "cpu_s": 0.01}
    return {"fault": "", "runs": [{"plain": whole | plain, "checked": whole | checked}]}


@pytest.mark.parametrize(
    ("plain", "checked", "outcome", "words"),
    [
        ({}, {}, JobOutcome.OK, ""),
        ({}, {"printed": "2\n"}, JobOutcome.EXCEPTION, "uninitialised"),
        ({}, {"how": "killed", "code": -4}, JobOutcome.KILLED, "undefined behaviour"),
        ({"how": "killed", "code": -11}, {}, JobOutcome.KILLED, "segmentation"),
        ({"how": "timeout"}, {}, JobOutcome.TIMEOUT, ""),
        ({}, {"how": "output-limit"}, JobOutcome.OUTPUT_LIMIT, ""),
    ],
)
def test_an_input_counts_only_where_both_builds_agree(
    plain: dict[str, Any], checked: dict[str, Any], outcome: JobOutcome, words: str
) -> None:
    seen = _observation(_answer(plain, checked), 0)
    assert seen.outcome is outcome
    assert words in seen.error


@pytest.fixture(scope="module")
def run(sandbox: Sandbox) -> Any:
    with compiled_runner(sandbox) as runner:
        yield runner


@pytest.mark.docker
@pytest.mark.skipif(not os.environ.get("BOOTCAMP_COMPILER_TESTS"), reason="BOOTCAMP_COMPILER_TESTS, and g++")
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", HOSTILE)
def test_a_program_that_means_nothing_is_told(run: CompiledRunner, name: str) -> None:
    code, words = HOSTILE[name]
    (seen,) = run("#include <bits/stdc++.h>\n#include <unistd.h>\n" + code, ["7\n"])
    assert not seen.ok
    assert words in seen.error


@pytest.mark.docker
@pytest.mark.skipif(not os.environ.get("BOOTCAMP_COMPILER_TESTS"), reason="BOOTCAMP_COMPILER_TESTS, and g++")
@pytest.mark.timeout(1800)
def test_a_program_reaches_no_file_and_no_right(run: CompiledRunner) -> None:
    code = '#include <cstdio>\n#include <unistd.h>\nint main() { FILE *f = fopen("/work/answer.json", "w");'
    code += ' printf("%d %d %d", f != nullptr, getuid() == 0, setuid(0) == 0); }'
    (seen,) = run(code, [""])
    assert seen.value == {"stdout": "0 0 0"}
