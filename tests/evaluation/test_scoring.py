"""The same verdicts from a process and from the sandbox; a fault of the verifier is never a zero."""

import pytest

from bootcamp_kit.case import Outcome
from bootcamp_kit.folder import TaskFolder
from evaluation.boxes import Boxes, job_limits
from evaluation.plan import CaseRef
from evaluation.process_box import ProcessBox
from evaluation.scoring import Judgement, MadeCase, Unscored, judge, make_cases
from sandbox.calls import Call, JobOutcome, Op
from sandbox.limits import JobLimits
from sandbox.service import Sandbox

EXPECTED = [
    ("<answer>{right}</answer>", Outcome.CORRECT),
    ("<answer>{off}</answer>", Outcome.PARTIAL),
    ("<answer>-1</answer>", Outcome.WRONG),
    ("no idea", Outcome.MALFORMED),
    ("", Outcome.MALFORMED),
    ("<answer>666</answer>", Unscored.VERIFIER_CRASH),
    ("<answer>{right}</answer>", Outcome.CORRECT),
    ("<answer>667</answer>", Unscored.VERIFIER_TIMEOUT),
    ("<answer>{right}</answer>", Outcome.CORRECT),
    ("<answer>668</answer>", Unscored.VERIFIER_KILLED),
    ("\ud800 \x00 <answer>{right}</answer>", Outcome.CORRECT),
    ("x" * 1_000_000, Outcome.MALFORMED),
]


def check_all(boxes: Boxes) -> None:
    ask = boxes.asker("tricky")
    [made] = make_cases(ask, "tricky", boxes.folder("tricky").card.difficulty.params, [CaseRef(2, 5)])
    assert isinstance(made, MadeCase)
    right = 2 * made.case.payload["n"]
    found = judge(ask, [(made.case, text.format(right=right, off=right + 1)) for text, _ in EXPECTED])
    assert [item.score.outcome if item.score else item.unscored for item in found] == [want for _, want in EXPECTED]
    assert found[0].answer == right
    assert "fell over" in found[5].detail


def test_a_process_tells_wrong_from_crashed_hung_and_dead(folders: dict[str, TaskFolder]) -> None:
    with Boxes(folders, None) as boxes:
        check_all(boxes)


@pytest.mark.docker
def test_the_sandbox_tells_wrong_from_crashed_hung_and_dead(folders: dict[str, TaskFolder], sandbox: Sandbox) -> None:
    with Boxes(folders, sandbox) as boxes:
        check_all(boxes)


def test_a_case_that_is_not_the_expected_one_is_unscored(folders: dict[str, TaskFolder]) -> None:
    with Boxes(folders, None) as boxes:
        ask, params = boxes.asker("doubling"), boxes.folder("doubling").card.difficulty.params
        [plain] = make_cases(ask, "doubling", params, [CaseRef(1, 0)])
        assert isinstance(plain, MadeCase)
        key, prompt = plain.case.key, plain.prompt_hash
        wanted = [CaseRef(1, 0, key, prompt), CaseRef(1, 0, "f" * 64), CaseRef(1, 0, key, "0" * 64)]
        same, other, reworded = make_cases(ask, "doubling", params, wanted)
        assert isinstance(same, MadeCase)
        for item in (other, reworded):
            assert isinstance(item, Judgement) and item.unscored is Unscored.CASE_CHANGED


def test_boxes_keep_few_processes_and_start_them_again(folders: dict[str, TaskFolder]) -> None:
    with Boxes(folders, None, keep=1) as boxes:
        for _ in range(2):
            for name in folders:
                assert boxes.batch(name, [Call(Op.LOAD, {})])[0].ok


def test_memory_and_long_answers_are_bounded(folders: dict[str, TaskFolder]) -> None:
    files = dict(folders["doubling"].sources)
    files["bootcamp.py"] = files["bootcamp.py"].replace(b"return {", b'return {"big": "x" * (10 ** params["digits"]), ')
    limits = JobLimits(wall_s=5, address_mb=64, output_bytes=100_000)

    def generate(digits: int) -> Call:
        return Call(Op.GENERATE, {"task_id": "doubling", "level": 1, "seed": 1, "params": {"digits": digits}})

    with ProcessBox(files, limits) as box:
        outcomes = [item.outcome for item in box.batch([generate(n) for n in (2, 7, 2, 9, 2)])]
    assert outcomes[0] is outcomes[2] is outcomes[4] is JobOutcome.OK
    assert outcomes[1] is JobOutcome.OUTPUT_LIMIT and outcomes[3] is JobOutcome.OUT_OF_MEMORY


def test_many_scores_come_from_one_process(folders: dict[str, TaskFolder]) -> None:
    with ProcessBox(folders["doubling"].sources, job_limits(folders["doubling"].card)) as box:
        [made] = make_cases(box.batch, "doubling", folders["doubling"].card.difficulty.params, [CaseRef(3, 1)])
        assert isinstance(made, MadeCase)
        child = box._child
        found = judge(box.batch, [(made.case, "<answer>5</answer>")] * 2_000)
        assert child is not None and box._child is child and child.poll() is None
    assert all(item.score for item in found)


def test_a_response_past_every_limit_is_unscored_and_the_others_are_judged(folders: dict[str, TaskFolder]) -> None:
    with ProcessBox(folders["doubling"].sources, job_limits(folders["doubling"].card)) as box:
        [made] = make_cases(box.batch, "doubling", folders["doubling"].card.difficulty.params, [CaseRef(3, 1)])
        assert isinstance(made, MadeCase)
        texts = ["none", "x" * 10_000_000 + "<answer>-1</answer>", "y" * 30_000_000, "<answer>-1</answer>"]
        found = judge(box.batch, [(made.case, text) for text in texts])
    assert [item.score.outcome if item.score else item.unscored for item in found] == [
        Outcome.MALFORMED,
        Outcome.WRONG,
        Unscored.TOO_LONG,
        Outcome.WRONG,
    ]
