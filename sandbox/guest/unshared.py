"""Memory that a fork does not copy: what passes through the agent on its way is in no job's process."""

from __future__ import annotations

import mmap


class Unshared:
    """A buffer outside Python's heap, marked ``MADV_DONTFORK``: a child that reads its addresses gets a SIGSEGV."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.view: memoryview = _mapped(size)

    def resize(self, size: int, keep: memoryview | None = None) -> None:
        """Another size; the bytes of ``keep`` move to the front, all others are gone."""
        view = _mapped(size)
        if keep is not None:
            view[: len(keep)] = keep
        self.size, self.view = size, view  # the old pages go with the last view of them


def _mapped(size: int) -> memoryview:
    pages = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    pages.madvise(mmap.MADV_DONTFORK)
    return memoryview(pages)
