"""The service over loopback HTTP: what trainers get, what bad callers get, how it ends."""

from __future__ import annotations

import contextlib
import json
import signal
import socket
import subprocess
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from bootcamp_kit.library import load
from evaluation.export.items import Counts, Selection, items
from tests.evaluation.service.conftest import TOKEN, Served

Serve = Callable[..., Served]


def expected(case: dict[str, Any]) -> list[tuple[str, float | None, str, str | None]]:
    """Response, score, outcome, unscored reason."""
    right = 2 * json.loads(case["identity"])["payload"]["n"]
    return [
        (f"<answer>{right}</answer>", 1.0, "correct", None),
        (f"<answer>{right + 1}</answer>", 0.5, "partial", None),
        ("<answer>-1</answer>", 0.0, "wrong", None),
        ("no answer", 0.0, "malformed", None),
        ("<answer>666</answer>", None, "unscored", "verifier-crash"),
        ("<answer>667</answer>", None, "unscored", "verifier-timeout"),
        ("<answer>668</answer>", None, "unscored", "verifier-killed"),
    ]


def check_scores(service: Served) -> None:
    case = service.case("tricky")
    table = expected(case)
    items = [{"identity": case["identity"], "response": text, "answer": True} for text, *_ in table]
    found = service.post("/v1/score/batch", {"items": items}).json()["results"]
    assert [(item["score"], item["outcome"], item["unscored"]) for item in found] == [row[1:] for row in table]
    assert [item["answer"] for item in found[2:5]] == [-1, None, None] and "fell over" in found[4]["detail"]
    for item, (text, score, outcome, _) in zip(items[:5], table, strict=False):
        single = service.post("/v1/score", {"identity": json.loads(item["identity"]), "response": text}).json()
        assert (single["score"], single["outcome"], single["answer"]) == (score, outcome, None)


def test_scores_have_three_values_in_a_process(shared: Served) -> None:
    check_scores(shared)
    read = httpx.get(shared.url + "/metrics", headers={"authorization": f"Bearer {TOKEN}"}).text
    assert 'bootcamp_scores_total{outcome="unscored:verifier-crash"} 2.0' in read
    assert 'bootcamp_http_requests_total{path="/v1/score/batch",status="200"} 1.0' in read
    assert "bootcamp_waiting 0.0" in read and "process_resident_memory_bytes" in read


@pytest.mark.docker
def test_scores_have_three_values_in_the_sandbox_and_no_container_is_left(served: Serve) -> None:
    service = served()
    assert service.http.get("/health/ready").json()["scorer"] == "sandbox"
    check_scores(service)
    run = subprocess.run(["docker", "ps", "-q", "--no-trunc"], capture_output=True, text=True, check=True)
    inspect = ["docker", "inspect", "--format", "{{json .Config.Labels}}", *run.stdout.split()]
    labels = subprocess.run(inspect, capture_output=True, text=True, check=False).stdout
    assert str(service.process.pid) in labels, "it scored in containers of its own"
    assert service.stop()[0] == 0
    left = subprocess.run(["docker", "ps", "-aq", "--no-trunc"], capture_output=True, text=True, check=True)
    inspect[4:] = left.stdout.split()
    labels = subprocess.run(inspect, capture_output=True, text=True, check=False).stdout
    assert f'"{service.process.pid}"' not in labels


def test_cases_are_those_of_the_library_and_of_its_exports(shared: Served) -> None:
    asked = {"task_id": "doubling", "level": 3, "seed": 5, "count": 70}
    found = shared.post("/v1/sample", asked).json()["cases"]
    assert [case["seed"] for case in found] == list(range(5, 75))
    exported = next(items([load("doubling", root=shared.shelf)], Selection((3,), 5, 6), Counts()))
    assert found[0]["identity"] == exported.identity() and found[0]["prompt"] == exported.prompt
    assert found[0]["lineage"] == exported.lineage()
    listed = shared.http.get("/v1/tasks").json()["tasks"]
    assert [task["task_id"] for task in listed] == ["doubling", "fragile", "tricky"] and listed[0][
        "licence"
    ] == "CC0-1.0"


def test_nemo_gym_gets_a_masked_sample_for_unscored(shared: Served) -> None:
    case = shared.case("tricky")
    rewards = []
    for text, *_ in expected(case)[:5]:
        parts = [{"type": "output_text", "text": text[:4]}, {"type": "output_text", "text": text[4:]}]
        output = [{"type": "reasoning"}, {"type": "message", "content": parts}]
        row = {"identity": case["identity"], "split": "train", "response": {"output": output}}
        found = shared.post("/nemo-gym/verify", {**row, "responses_create_params": {"input": []}}).json()
        assert found["split"] == "train" and found["response"] == row["response"]
        rewards.append((found["reward"], found["mask_sample"]))
    assert rewards == [(1.0, False), (0.5, False), (0.0, False), (0.0, False), (0.0, True)]
    empty = shared.post("/nemo-gym/verify", {"identity": case["identity"], "response": {}}).json()
    assert empty["reward"] == 0.0 and not empty["mask_sample"], "an empty response is malformed, not unscored"


def test_openrlhf_gets_numbers_for_one_query_and_lists_for_several(shared: Served) -> None:
    case = shared.case("tricky")
    prompt = f"<|user|>{case['prompt']}<|assistant|>"
    texts = [text for text, *_ in expected(case)[:5]]
    body = {"query": [prompt + text for text in texts], "prompts": [prompt] * 5, "labels": [case["identity"]] * 5}
    found = shared.post("/openrlhf/reward", body).json()
    assert found["rewards"] == [1.0, 0.5, 0.0, 0.0, 0.0] and found["scores"] == [1.0, 0.5, 0.0, 0.0, -1.0]
    assert found["extra_logs"] == {"unscored": [0, 0, 0, 0, 1], "malformed": [0, 0, 0, 1, 0]}
    one = shared.post("/openrlhf/reward", {key: values[:1] for key, values in body.items()}).json()
    assert one == {"rewards": 1.0, "scores": 1.0, "extra_logs": {"unscored": 0.0, "malformed": 0.0}}
    lost = shared.post("/openrlhf/reward", {**body, "query": ["?"] * 5}).json()
    assert lost["extra_logs"]["unscored"] == [1.0] * 5
    assert shared.post("/openrlhf/reward", {**body, "labels": []}).status_code == 422


def test_a_generator_that_fails_gives_a_reason_in_the_place_of_a_case(shared: Served) -> None:
    [case] = shared.post("/v1/sample", {"task_id": "fragile", "level": 4, "seed": 0}).json()["cases"]
    assert case["unscored"] == "generator" and "AssertionError" in case["detail"] and "prompt" not in case


def test_bad_requests_are_told_what_is_wrong(shared: Served) -> None:
    case = shared.case("doubling")
    identity = json.loads(case["identity"])
    sample = {"task_id": "doubling", "level": 1, "seed": 0}
    one = {"identity": case["identity"], "response": "x"}
    for path, body, status, code, says in (
        ("/v1/sample", {**sample, "task_id": "doublin"}, 404, "unknown-task", "served: doubling, fragile, tricky"),
        ("/v1/sample", {**sample, "level": 9}, 404, "unknown-level", "from 1 to 4"),
        ("/v1/sample", {**sample, "seed": -1}, 422, "bad-body", "seed"),
        ("/v1/sample", {**sample, "seed": "1"}, 422, "bad-body", "seed"),
        ("/v1/sample", {**sample, "count": 81}, 413, "too-many", "at most 80"),
        ("/v1/sample", {**sample, "extra": 1}, 422, "bad-body", "extra"),
        ("/v1/score", {**one, "identity": "no json"}, 422, "bad-identity", "not readable"),
        ("/v1/score", {**one, "identity": "[" * 100_000}, 422, "bad-identity", "RecursionError"),
        ("/v1/score", {**one, "identity": "9" * 2_500_000}, 413, "too-large", "longer"),
        ("/v1/score", {**one, "identity": {**identity, "task_id": 7}}, 422, "bad-identity", "text"),
        ("/v1/score", {**one, "identity": {**identity, "level": 77}}, 404, "unknown-level", "from 1 to 4"),
        (
            "/v1/score",
            {**one, "identity": {**identity, "content_hash": "0" * 64}},
            409,
            "other-version",
            "000000000000",
        ),
        ("/v1/score", {"identity": case["identity"]}, 422, "bad-body", "response"),
        ("/v1/score/batch", {"items": []}, 422, "bad-body", "items"),
        ("/v1/score/batch", {"items": [one] * 81}, 413, "too-many", "81 at once"),
        ("/v1/score/batch", {"items": [one, {**one, "identity": "{}"}]}, 422, "bad-identity", "items[1]"),
        ("/nothing", {}, 404, "http", "Not Found"),
    ):
        found = shared.post(path, body)
        assert found.status_code == status, (path, body, found.text)
        error = found.json()["error"]
        assert error["code"] == code and says in json.dumps(error), error
    nested = b'{"identity": {"payload": ' + b"[" * 900 + b"]" * 900 + b'}, "response": "x"}'
    for content in (nested, b"{", b"", b"\xff\xfe", b"[" * 200_000, b'{"identity": 1e999}', b'{"response": "\\ud800"}'):
        found = shared.http.post("/v1/score", content=content, headers={"content-type": "application/json"})
        assert found.status_code in (400, 422) and found.json()["error"]["found"]
    assert shared.http.get("/v1/score").status_code == 405
    surrogate = f'{{"identity": {json.dumps(case["identity"])}, "response": "\\ud800 <answer>1</answer>"}}'
    found = shared.http.post("/v1/score", content=surrogate, headers={"content-type": "application/json"})
    assert found.status_code in (200, 422), "half a character is judged or refused, and breaks nothing"
    assert shared.post("/v1/score", one).json()["outcome"] == "malformed"


def test_huge_bodies_are_not_read(shared: Served) -> None:
    found = shared.http.post("/v1/score", content=b"x" * (2 << 20))
    assert found.status_code == 413 and "1048576 bytes" in found.json()["error"]["found"]

    def endless() -> Any:
        for _ in range(64):
            yield b"x" * 100_000

    with contextlib.suppress(httpx.TransportError):  # closed while it was still sending is as good
        assert shared.http.post("/v1/score", content=endless()).status_code == 413
    case = shared.case("doubling")
    long = {"identity": case["identity"], "response": "y" * 900_000}
    assert shared.post("/v1/score", long).json()["outcome"] == "malformed"


def test_a_wrong_token_opens_only_health_and_the_description(shared: Served) -> None:
    for headers in ({}, {"authorization": "Bearer wrong"}, {"authorization": f"Basic {TOKEN}"}):
        with httpx.Client(base_url=shared.url, headers=headers) as stranger:
            for path in ("/v1/tasks", "/metrics", "/nothing"):
                found = stranger.get(path)
                assert found.status_code == 401 and found.headers["www-authenticate"] == "Bearer"
                assert found.json()["error"]["code"] == "token" and TOKEN not in found.text
            assert stranger.get("/health/live").json()["status"] == "live"
            assert stranger.get("/health/ready").status_code == 200
            described = stranger.get("/openapi.json").json()
    assert described["paths"]["/v1/score"]["post"]["security"] == [{"token": []}]
    assert set(described["components"]["schemas"]["ScoreReply"]["properties"]) >= {"score", "unscored"}


def test_too_much_at_once_is_told_to_come_back(served: Serve) -> None:
    service = served("--score", "process", "--max-items", "8", "--max-waiting", "8", "--timeout", "6")
    case = service.case("tricky")
    hangs = {"items": [{"identity": case["identity"], "response": "<answer>667</answer>"}] * 8}
    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(service.post, "/v1/score/batch", hangs)
        service.wait_until_busy()
        found = service.post("/v1/score", {"identity": case["identity"], "response": "x"})
        assert found.status_code == 503 and int(found.headers["retry-after"]) >= 1
        assert found.json()["error"]["code"] == "overloaded"
        late = slow.result()
    assert late.status_code == 503 and late.json()["error"]["code"] == "timeout" and "results" not in late.text
    other = service.case("doubling")
    assert service.post("/v1/score", {"identity": other["identity"], "response": "x"}).json()["score"] == 0.0


def test_a_client_past_its_rate_is_told_when_to_come_back(served: Serve) -> None:
    service = served("--score", "process", "--rate", "0.05")
    case = service.case("doubling")
    found = service.post("/v1/score", {"identity": case["identity"], "response": "x"})
    assert found.status_code == 429 and 1 <= int(found.headers["retry-after"]) <= 20
    assert found.json()["error"]["code"] == "rate" and service.http.get("/v1/tasks").status_code == 200


def test_a_task_that_hangs_does_not_hold_up_another(served: Serve) -> None:
    """It would hang for a minute; the service is ended when the other task has been served."""
    service = served("--score", "process", "--workers", "2")
    tricky, other = service.case("tricky"), service.case("doubling")
    hangs = {"items": [{"identity": tricky["identity"], "response": "<answer>667</answer>"}] * 60}
    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(service.post, "/v1/score/batch", hangs)
        service.wait_until_busy()
        assert service.post("/v1/score", {"identity": other["identity"], "response": "x"}).status_code == 200
        assert not slow.done(), "it waited for the other task"
        service.process.kill()
        with pytest.raises(httpx.TransportError):
            slow.result()


def test_at_a_signal_what_is_under_way_is_finished(served: Serve) -> None:
    service = served("--score", "process")
    case = service.case("tricky")
    body = {"items": [{"identity": case["identity"], "response": f"<answer>{n}</answer>"} for n in (667, -1)]}
    with ThreadPoolExecutor(1) as pool:
        under_way = pool.submit(service.post, "/v1/score/batch", body)
        service.wait_until_busy()
        code, told = service.stop()
        found = under_way.result()
    assert [item["outcome"] for item in found.json()["results"]] == ["unscored", "wrong"]
    assert code == 0 and "Traceback" not in told


def test_what_does_not_end_in_time_is_cut_off_and_told_so(served: Serve) -> None:
    service = served("--score", "process", "--grace", "1")
    case = service.case("tricky")
    body = {"items": [{"identity": case["identity"], "response": "<answer>667</answer>"}] * 100}
    with ThreadPoolExecutor(1) as pool:
        under_way = pool.submit(service.post, "/v1/score/batch", body)
        service.wait_until_busy()
        code, _ = service.stop(signal.SIGINT)  # which waits for a minute at most
        assert code == 0
        with contextlib.suppress(httpx.TransportError):  # closed without an answer: nothing to take for a score
            assert under_way.result().status_code >= 500


def test_a_body_that_never_ends_costs_one_connection_and_a_broken_one_nothing(shared: Served) -> None:
    host, port = shared.url.removeprefix("http://").split(":")
    head = f"POST /v1/score HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {TOKEN}\r\ncontent-length: 100\r\n\r\nhalf"
    with socket.create_connection((host, int(port))) as half, socket.create_connection((host, int(port))) as broken:
        half.sendall(head.encode())
        broken.sendall(b"\x00\x01 no http at all\r\n\r\n")
        assert b"400" in broken.recv(1_000)
        assert shared.http.get("/health/ready").status_code == 200


def test_many_clients_get_their_own_scores(shared: Served) -> None:
    cases = [shared.case("doubling", seed=seed) for seed in range(12)]
    wrong = threading.Event()

    def client(number: int) -> None:
        with httpx.Client(base_url=shared.url, headers={"authorization": f"Bearer {TOKEN}"}) as http:
            for turn in range(25):
                case = cases[(number + turn) % len(cases)]
                right = 2 * json.loads(case["identity"])["payload"]["n"]
                text = f"<answer>{right + turn % 3}</answer>"
                reply = http.post("/v1/score", json={"identity": case["identity"], "response": text})
                if reply.status_code != 200 or reply.json()["score"] != (1.0, 0.5, 0.0)[turn % 3]:
                    wrong.set()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(client, range(8)))
    assert not wrong.is_set()
