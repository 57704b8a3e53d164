from __future__ import annotations

import hashlib
import io
import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from docker import DockerClient

import bootcamp_kit
from sandbox.image.archive import compiled_module, content_hash, write_tar
from sandbox.image.build import ensure_image
from sandbox.image.rootfs import Entry, code_entries, interpreter_entries
from sandbox.service import Sandbox

ROOT = Path(bootcamp_kit.__file__).parents[1]


@pytest.fixture
def client(sandbox: Sandbox) -> Iterator[DockerClient]:
    client = sandbox.engine.connect()
    yield client
    client.close()


def test_the_archive_is_the_same_byte_for_byte(tmp_path: Path) -> None:
    module = tmp_path / "m.py"
    module.write_text("X = 1\n")
    entries = [Entry("a/b/m.py", source=module), Entry("a/c", data=b"x", executable=True), Entry("a/d", link="c")]
    archives = []
    for _ in range(2):
        target = io.BytesIO()
        write_tar(target, entries, ("empty",))
        archives.append(hashlib.sha256(target.getvalue()).hexdigest())
    assert archives[0] == archives[1]
    with tarfile.open(fileobj=io.BytesIO(target.getvalue())) as archive:
        members = {info.name: info for info in archive}
    assert all(info.mtime == 0 and info.uid == 0 for info in members.values())
    assert members["a/c"].mode == 0o755 and members["a/b/m.py"].mode == 0o644 and members["empty"].isdir()
    assert any(name.startswith("a/b/__pycache__/m.") for name in members)


@pytest.mark.parametrize("size", [1, 512, 513, 9000])
def test_nothing_follows_the_end_of_an_archive(size: int) -> None:
    target = io.BytesIO()
    write_tar(target, [Entry("a", data=b"x" * size)])
    header, content, end = 512, -(-size // 512) * 512, 1024
    assert len(target.getvalue()) == header + content + end
    assert target.getvalue().endswith(b"\0" * end)


def test_the_content_hash_sees_bytes_modes_links_and_paths() -> None:
    base = Entry("a", data=b"x")
    others = [
        Entry("b", data=b"x"),
        Entry("a", data=b"y"),
        Entry("a", data=b"x", executable=True),
        Entry("a", link="x"),
    ]
    assert len({content_hash([entry]) for entry in [base, *others]}) == 5
    assert content_hash([base], ("dev",)) != content_hash([base])


def test_a_module_that_does_not_compile_gets_no_cache() -> None:
    assert compiled_module("a.py", b"def") is None and compiled_module("a.py", b"x = 1") is not None


def test_the_image_holds_an_interpreter_and_no_shell_and_nothing_of_the_hosts_packages() -> None:
    paths = [entry.path for entry in interpreter_entries()]
    assert any(path.endswith("/os.py") for path in paths) and any("ld-linux" in path for path in paths)
    assert not [path for path in paths if "site-packages" in path or "dist-packages" in path or "/test/" in path]
    assert not [path for path in paths if path.rpartition("/")[2] in ("sh", "bash", "busybox", "pip", "ldd")]
    assert not [path for path in paths if "X11" in path or "libtk" in path]
    assert paths == sorted(paths)


def test_the_code_layer_holds_the_kit_and_the_guest_only() -> None:
    paths = {entry.path.removeprefix("opt/bootcamp/") for entry in code_entries(ROOT)}
    assert {"bootcamp_kit/case.py", "sandbox/__init__.py", "sandbox/guest/agent.py"} <= paths
    assert {path.split("/")[0] for path in paths} == {"bootcamp_kit", "sandbox"}
    assert not [
        path for path in paths if path.startswith("sandbox/") and "/guest/" not in path and "__init__" not in path
    ]


@pytest.mark.docker
def test_an_image_is_built_once_and_found_again(client: DockerClient, tmp_path: Path) -> None:
    """A copy of our code with one comment more: only the thin layer is built, and only once."""
    for package in ("bootcamp_kit", "sandbox"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    with (tmp_path / "sandbox" / "guest" / "agent.py").open("a") as agent:
        agent.write(f"# {tmp_path}\n")
    said: list[str] = []
    usual = ensure_image(client)
    first = ensure_image(client, said.append, code_root=tmp_path)
    second = ensure_image(client, said.append, code_root=tmp_path)
    try:
        assert (usual.built, first.built, second.built) == (False, True, False)
        assert usual.digest != first.digest == second.digest
        assert said == ["adding the kit and the agent to the sandbox image"]
        assert second.seconds < 5
    finally:
        client.images.remove(first.tag, force=True)


@pytest.mark.docker
def test_a_changed_image_is_another_image(client: DockerClient, sandbox: Sandbox) -> None:
    labels = client.images.get(sandbox.image.tag).labels
    assert sandbox.image.digest.removeprefix("sha256:") in labels.values()
