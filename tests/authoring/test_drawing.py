"""The drawing in the documentation is the graph that runs."""

from __future__ import annotations

import re
from pathlib import Path

from authoring.graph import build_graph

PAGE = Path(__file__).parents[2] / "docs" / "workflow.md"


def test_the_drawing_is_the_compiled_graph() -> None:
    (drawn,) = re.findall(r"```mermaid\n(.*?)\n```", PAGE.read_text(), re.DOTALL)
    compiled = build_graph().get_graph(xray=True).draw_mermaid().strip()
    assert drawn == compiled, f"put this into {PAGE.name}:\n{compiled}"
