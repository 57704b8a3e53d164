"""What is refused before anything is served, and the bucket of the rate limit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bootcamp_kit.errors import UsageError
from evaluation.service.guard import Rate
from evaluation.service.limits import Refused, ServiceLimits, require_token
from tests.evaluation.conftest import Done, put_task, task_files


def test_a_bucket_holds_one_second_and_fills_again() -> None:
    now = [0.0]
    rate = Rate(10.0, lambda: now[0])
    for _ in range(10):
        rate.take("a", 1)
    with pytest.raises(Refused) as refused:
        rate.take("a", 1)
    assert refused.value.status == 429 and refused.value.retry_after_s == 1
    rate.take("b", 10)
    now[0] = 0.5
    rate.take("a", 5)
    with pytest.raises(Refused):
        rate.take("a", 1)
    now[0] = 2.0
    rate.take("a", 500)  # a request larger than the bucket empties it
    with pytest.raises(Refused):
        rate.take("a", 1)


def test_the_network_is_not_served_without_a_token() -> None:
    require_token(None, "127.0.0.1")
    require_token("x" * 16, "0.0.0.0")
    for token, host in ((None, "0.0.0.0"), ("short", "127.0.0.1"), ("", "127.0.0.1"), ("x" * 15 + "\n", "127.0.0.1")):
        with pytest.raises(UsageError, match="BOOTCAMP_SERVE_TOKEN"):
            require_token(token, host)


def test_limits_out_of_range_are_refused() -> None:
    for wrong in ({"items": 0}, {"waiting": 10}, {"workers": 8, "boxes": 4}, {"rate": float("nan")}):
        with pytest.raises(UsageError, match="out of range"):
            ServiceLimits(**wrong)  # type: ignore[arg-type]


def test_bad_calls_say_what_to_do(bootcamp: Callable[..., Done], shelf: Path, tmp_path: Path) -> None:
    def fails(*arguments: object, says: str, code: int = 2) -> None:
        assert says in bootcamp("serve", *arguments, code=code).stderr

    fails("doublin", says="not among the 2 tasks")
    fails("all", "--score", "magic", says="use one of sandbox, process")
    fails("all", "--host", "0.0.0.0", says="BOOTCAMP_SERVE_TOKEN is not set")
    fails("all", "--boxes", "2", says="out of range")
    fails("all", "--score", "process", "--host", "203.0.113.1", says="BOOTCAMP_SERVE_TOKEN")
    put_task(shelf, task_files("secret", licence="LicenseRef-ours"))
    fails("secret", "--score", "process", says="private licence")
    place = tmp_path / "loose"
    for name, data in task_files("loose").items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(data)
    fails(str(place), "--score", "process", says="not approved in the library")
