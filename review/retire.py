"""Takes a merged task out of use: one commit that adds a ``[retired]`` table to its record, and nothing else.

The task's bytes stay, so whoever pinned its version still loads it; the id is never given to another task, and no newer
version of it is merged.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bootcamp_kit.card import Card
from bootcamp_kit.errors import ReviewRuleError, UsageError
from review import evidence
from review.checkout import Checkout
from review.claims import timestamp
from review.commit import prepare
from review.merge import Merged
from review.people import name_and_mail
from review.policy import MAX_REASON_CHARS
from review.publish import publish, recover
from review.queue import Clock, utc_now
from review.visible import one_line


def retire(library: Path, task_id: str, *, identity: str, reason: str, clock: Clock = utc_now) -> Merged:
    """Retire a task of the library.

    Args:
        library: The library's folder inside a git checkout.
        task_id: Which.
        identity: Who retires it, ``Name <mail>``.
        reason: Why.
        clock: Says what time it is.

    Raises:
        ReviewRuleError: no reason, retired already, or the checkout is not ready; nothing was changed.
        UsageError: no such task.
        MachineError: git or disk failed.
    """
    asked = f"retiring {task_id[:80]}"
    name_and_mail(identity)
    if not reason.strip() or len(reason) > MAX_REASON_CHARS:
        raise ReviewRuleError(asked, "no reason is given, or an endless one", "say why: --reason TEXT")
    checkout = Checkout.open(library)
    with checkout.exclusively() as holding:
        done = recover(checkout)
        branch, head = checkout.refuse_unless_ready(asked)
        places = checkout.places_of(head, task_id)
        if not places:
            raise UsageError(asked, "the library has no such task", "see `bootcamp library list`")
        folder = checkout.path_of(places[0])
        files = checkout.files(head, folder)
        record, card = _record(files, places[0], asked)
        moment = clock()
        table = {"at": timestamp(moment), "by": identity, "reason": reason.strip(), "version": card.version}
        files[evidence.RECORD] = evidence.write_record({**record, "retired": table})
        message = f"Retire task {places[0]} ({card.version})\n\n{one_line(reason, at_most=1_000)}\n\nTask: {card.id}\n"
        prepared = prepare(
            checkout,
            branch=branch,
            parent=head,
            folder=folder,
            files=files,
            message=message,
            identity=identity,
            at=moment,
        )
        publish(checkout, prepared, holding=holding)
    return Merged(prepared.commit, checkout.root / folder, True, prepared.signed, (done,) if done else ())


def _record(files: Mapping[str, bytes], address: str, asked: str) -> tuple[dict[str, Any], Card]:
    if evidence.RECORD not in files:
        raise ReviewRuleError(asked, f"{address} has no {evidence.RECORD}", "only merged tasks are retired")
    record = evidence.read_record(files[evidence.RECORD], address)
    if "retired" in record:
        raise ReviewRuleError(asked, f"it was retired at {record['retired'].get('at', '?')}", "nothing is left to do")
    try:
        return record, Card.parse(files["card.toml"])
    except (KeyError, UsageError) as error:
        raise ReviewRuleError(asked, f"the card of {address} cannot be read", "mend it first") from error
