"""An input format written by hand, in the statement: a fenced block ``input-format`` that holds its JSON.

It takes the place of what the grammar would read; samples still have to read back by it, and promises in the story
still have to be kept. The block is not part of the statement that a prompt shows. ``bootcamp author --explain`` prints
formats in the same form.
"""

from __future__ import annotations

import re

from pydantic import ValidationError

from authoring.compiler.input_format import InputFormat
from authoring.compiler.outcome import Refused, Stage

_BLOCK = re.compile(r"^```input-format[ \t]*\n(.*?)\n```[ \t]*\n?", re.MULTILINE | re.DOTALL)


def taken_out(text: str) -> tuple[str, InputFormat | None]:
    """The statement without the block, and the format; None where there is no block.

    Raises:
        Refused: more than one block, or one that is not an input format; names the first fault.
    """
    found = list(_BLOCK.finditer(text))
    if not found:
        return text, None
    if len(found) > 1:
        raise Refused(Stage.GRAMMAR, "more than one block input-format")
    try:
        format_ = InputFormat.model_validate_json(found[0][1])
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise Refused(
            Stage.GRAMMAR, f"the block input-format, at {where or 'its top'}: {first['msg'][:200]}"
        ) from error
    return text[: found[0].start()] + text[found[0].end() :], format_
