"""The page of a brief names whom the licence asks to name, and what was cleaned."""

from __future__ import annotations

from dataclasses import replace

from authoring.brief_page import brief_page
from tests.authoring.parts import make_brief


def test_attribution_and_notes_are_for_the_reviewer_to_see() -> None:
    brief = make_brief(notes=("105 read as 10^5: proven",))
    named = replace(brief, source=replace(brief.source, attribution="Ada Frog"))
    page = brief_page(named).decode()
    assert "Licence: CC0-1.0. By Ada Frog.\n" in page
    assert page.endswith("- 105 read as 10^5: proven\n")
    assert "reader" not in brief_page(make_brief()).decode()
