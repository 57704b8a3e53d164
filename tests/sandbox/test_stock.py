"""Which images there are, and which go."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from docker import DockerClient

import bootcamp_kit
from sandbox.image.build import LABEL, ON_LABEL, ensure_image
from sandbox.image.stock import current_names, list_images, list_roots, prune_images, prune_roots
from sandbox.service import Sandbox

ROOT = Path(bootcamp_kit.__file__).parents[1]
TRIALS = ("bootcamp-trial:fits", "bootcamp-trial:old")


@pytest.fixture
def client(sandbox: Sandbox) -> Iterator[DockerClient]:
    client = sandbox.engine.connect()
    yield client
    client.close()


@pytest.mark.docker
def test_what_is_not_current_goes_and_what_a_container_uses_stays(
    client: DockerClient, sandbox: Sandbox, tmp_path: Path
) -> None:
    """Other checkouts use this engine too: all but the two images made here count as current."""
    tags = []
    for number in range(2):
        root = tmp_path / str(number)
        for package in ("bootcamp_kit", "sandbox"):
            shutil.copytree(ROOT / package, root / package, ignore=shutil.ignore_patterns("__pycache__"))
        with (root / "sandbox" / "guest" / "agent.py").open("a") as agent:
            agent.write(f"# {root}\n")
        tags.append(ensure_image(client, code_root=root).tag)
    for name, below in (("fits", sandbox.image.tag), ("old", tags[1])):
        layer = client.containers.create(below, ["python3"], network_mode="none")
        layer.commit(repository="bootcamp-trial", tag=name, changes=[f"LABEL {LABEL}={name} {ON_LABEL}={below}"])
        layer.remove(force=True)
    user = client.containers.create(tags[0], ["python3"], network_mode="none")
    try:
        others = {stored.name for stored in list_images(client, ())} - {*tags, *TRIALS}
        assert sandbox.image.tag in others and sandbox.image.tag in current_names()
        gone, kept = prune_images(client, others)
        assert (sorted(gone), kept) == (sorted([tags[1], TRIALS[1]]), [tags[0]])
    finally:
        user.remove(force=True)
        for tag in (tags[0], TRIALS[0]):
            client.images.remove(tag, force=True)
    assert not set(tags) & {stored.name for stored in list_images(client, ())}


def test_roots_that_are_not_current_go(tmp_path: Path) -> None:
    for name in ("new", "old", ".building-x"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_bytes(b"x" * 1000)
    assert [(Path(item.name).name, item.current) for item in list_roots(tmp_path, {"new"})] == [
        (".building-x", False),
        ("new", True),
        ("old", False),
    ]
    assert len(prune_roots(tmp_path, {"new"})) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["new"]
    assert list_roots(tmp_path / "absent", ()) == []
