"""``brief.md``: the rules as they were handed in, for the reviewer."""

from __future__ import annotations

from bootcamp_kit.brief import Brief


def brief_page(brief: Brief) -> bytes:
    """Title, text, source and licence as Markdown."""
    source = brief.source
    place = f" ({source.url})" if source.url else ""
    text = brief.text.encode("utf-8", "replace").decode("utf-8").strip("\n")
    origin = f"Source: {source.kind}, {source.name}{place}. Licence: {source.licence}."
    if source.attribution:
        origin += f" By {source.attribution}."
    page = f"# {brief.title}\n\n{text}\n\n---\n\n{origin}\n"
    if brief.notes:
        page += "\nWhat the reader cleaned, kept or left out:\n\n" + "".join(f"- {note}\n" for note in brief.notes)
    return page.encode("utf-8", "replace")
