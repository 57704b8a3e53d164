"""Python and Markdown text with untrusted content in it."""

from __future__ import annotations

import json


def literal(text: str) -> str:
    """A Python string literal; the same on every machine, and never more than its text."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def block_literal(name: str, text: str) -> str:
    """``NAME = (…)`` with one literal a line."""
    lines = text.split("\n")
    parts = [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    return f"{name} = (\n" + "".join(f"    {literal(part)}\n" for part in parts) + ")\n"


def fenced(text: str) -> str:
    """A fenced block; its content holds no backticks."""
    return f"```\n{text.rstrip()}\n```"
