"""What ``make demo`` runs: the main job on the bundled briefs, then the queue and the command to type next."""

from __future__ import annotations

import sys
from pathlib import Path

from bootcamp_cli.output import NO, say

BRIEFS = Path(__file__).resolve().parents[1] / "examples" / "briefs"


def main() -> int:
    """Author the bundled briefs without a model, list the queue. 0 when that went as it should.

    Two of the six briefs are plain rules without a reference solution: only a model can write those, so they are
    refused.
    """
    from bootcamp_cli.main import call

    say(f"bootcamp author {BRIEFS.relative_to(BRIEFS.parents[1])}")
    code = call(["author", str(BRIEFS)])
    if code not in (0, NO):
        return code
    say("\n(Two of these six briefs are plain rules: they need a model, e.g. --author openai:MODEL.)")
    say("\nbootcamp review list")
    code = call(["review", "list"])
    say("(to have the command on your path: . .venv/bin/activate)")
    return code


if __name__ == "__main__":
    sys.exit(main())
