"""The image's content as a folder, for the bubblewrap backend. Named by the same content hash."""

from __future__ import annotations

import platform
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bootcamp_kit.errors import MachineError
from sandbox.bubble import DEVICES, OOM_FILES
from sandbox.image.archive import write_folder
from sandbox.image.build import Content, ImageInfo, content_of
from sandbox.image.rootfs import empty_folders


def cache_folder() -> Path:
    """Where unpacked roots are kept when no place is named."""
    import platformdirs

    return Path(platformdirs.user_cache_dir("bootcamp", appauthor=False)) / "roots"


def ensure_root(
    cache: Path, progress: Callable[[str], None] | None = None, *, profile: str = "plain", code_root: Path | None = None
) -> tuple[ImageInfo, Path]:
    """Look the root up in ``cache``, unpack it when it is missing: all of it or nothing.

    Raises:
        MachineError: no space, no permission, an unknown profile, or this interpreter cannot be packed.
    """
    started = time.monotonic()
    content = content_of(profile, code_root)
    root = cache / content.digest[:16]
    built = False
    if not root.is_dir():
        if progress:
            progress("unpacking the sandbox's root from the local interpreter (once, some seconds)")
        try:
            cache.mkdir(parents=True, exist_ok=True)
            _unpack(content, root)
        except OSError as error:
            raise MachineError(
                f"unpacking the sandbox's root into {root}", f"{type(error).__name__}: {error}"[:300], "free some space"
            ) from error
        built = True
    seconds = time.monotonic() - started
    return ImageInfo(f"sha256:{content.digest}", root.name, platform.python_version(), built, seconds), root


def _unpack(content: Content, root: Path) -> None:
    building = Path(tempfile.mkdtemp(prefix=".building-", dir=root.parent))
    try:
        with content.profile.entries() as packages:
            write_folder(building, [*content.base, *packages, *content.code], empty_folders())
        for path in (*(f"dev/{name}" for name in DEVICES), *OOM_FILES.values()):
            place = building / path.lstrip("/")  # a mount point
            place.parent.mkdir(parents=True, exist_ok=True)
            place.touch()
        building.chmod(0o755)
        building.rename(root)
    except FileExistsError:
        pass  # another process was faster
    except OSError:
        if not root.is_dir():
            raise
    finally:
        shutil.rmtree(building, ignore_errors=True)
