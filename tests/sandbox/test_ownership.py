from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

from sandbox.ownership import LIFE_S, Owner, is_orphan

NOW = 1_800_000_000.0


def test_a_living_owner_keeps_its_containers() -> None:
    here = Owner.current()
    labels = here.labels("run", NOW)
    assert not is_orphan(labels, here, NOW + 60)
    assert is_orphan(labels, here, NOW + LIFE_S)


def test_a_dead_owners_containers_are_orphans() -> None:
    here = Owner.current()
    child = subprocess.Popen([sys.executable, "-c", "pass"])
    child.wait()
    assert is_orphan(replace(here, pid=child.pid, started="1").labels("run", NOW), here, NOW)


def test_a_reused_process_id_is_another_owner() -> None:
    here = Owner.current()
    assert is_orphan(replace(here, started="1").labels("run", NOW), here, NOW)


def test_another_machines_containers_are_left_until_they_expire() -> None:
    here = Owner.current()
    labels = replace(here, host="elsewhere", pid=1, started="1").labels("run", NOW)
    assert not is_orphan(labels, here, NOW)
    assert is_orphan(labels, here, NOW + LIFE_S)


def test_without_proc_only_the_process_id_counts() -> None:
    here = replace(Owner.current(), started="")
    assert not is_orphan(here.labels("run", NOW), here, NOW)


def test_labels_that_are_not_ours_to_read_are_orphans() -> None:
    assert is_orphan({"bootcamp-foundry.sandbox": "1"}, Owner.current(), NOW)
