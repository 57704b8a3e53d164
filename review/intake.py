"""Takes candidates into the queue: once each, with their risk, in place of older ones of the same task."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from bootcamp_kit.candidate import Submission
from bootcamp_kit.errors import UsageError
from bootcamp_kit.jsondata import canonical
from bootcamp_kit.report import Verdict, to_json
from review import change, records, risk, schema
from review.item import State
from review.migrations import columns, search_text

_GOOD, _BAD = (State.APPROVED.value, State.MERGED.value), (State.REJECTED.value, State.RETURNED.value)


def take_in(connection: sa.Connection, submission: Submission, at: str) -> str:
    """Store a submission inside a write transaction and return its content hash; see ``Queue.submit``."""
    content_hash = submission.candidate.content_hash
    row = connection.execute(sa.select(schema.items).where(schema.items.c.content_hash == content_hash)).first()
    if row is not None:
        _recheck(connection, row._mapping, submission, at)
        return content_hash
    values = _row(submission, at)
    values |= _risk(connection, submission, values["answer"])
    item_id = connection.execute(schema.items.insert().values(**values)).inserted_primary_key
    assert item_id is not None
    connection.execute(schema.bodies.insert().values(item_id=item_id[0], **_bodies(submission)))
    connection.execute(
        schema.files.insert(),
        [
            {"item_id": item_id[0], "path": path, "data": data}
            for path, data in submission.candidate.folder.files.items()
        ],
    )
    actor = values["author"]
    facts = {
        "report_hash": submission.report.hash,
        "brief_hash": records.stored_hash(submission.brief),
        "lineage_hash": records.stored_hash(submission.candidate.lineage),
    }
    change.record(connection, content_hash=content_hash, kind="submitted", actor=actor, data=facts, at=at)
    older = sa.select(schema.items.c.content_hash).where(
        schema.items.c.task_id == values["task_id"],
        schema.items.c.content_hash != content_hash,
        schema.items.c.state.in_([State.QUEUED.value, State.RETURNED.value]),
    )
    for old in connection.scalars(older.order_by(schema.items.c.id)).all():
        change.record(connection, content_hash=old, kind="superseded", actor=actor, data={"by": content_hash}, at=at)
    return content_hash


def _row(submission: Submission, at: str) -> dict[str, Any]:
    """What is stored of a submission; a card that cannot be read leaves the brief's words in its place."""
    brief, report = submission.brief, submission.report
    try:
        card = submission.candidate.folder.card
        named = {"task_id": card.id, "family": card.family, "title": card.title, "version": card.version}
        kind = card.answer.kind
    except UsageError:
        named = {"task_id": brief.id, "family": brief.family, "title": brief.title, "version": ""}
        kind = ""
    named["title"] = named["title"].replace("\0", "\ufffd")
    author = submission.candidate.lineage.author.replace("\0", "\ufffd")
    return {
        **named,
        "answer": kind,
        "content_hash": submission.candidate.content_hash,
        "state": State.QUEUED.value,
        "author": author,
        "licence": brief.source.licence,
        "created": at,
        "verdict": report.verdict.value,
        "findings": len(report.findings),
        "search": search_text(named["task_id"], named["family"], named["title"], author),
    }


def _bodies(submission: Submission) -> dict[str, str]:
    return {
        "brief": records.stored(submission.brief),
        "lineage": records.stored(submission.candidate.lineage),
        "report": canonical(to_json(submission.report)).decode(),
    }


def _risk(connection: sa.Connection, submission: Submission, kind: str) -> dict[str, Any]:
    """Its risk, by what this queue knows of its author and of tasks like it."""
    candidate = submission.candidate
    items = schema.items.c
    author = candidate.lineage.author.replace("\0", "\ufffd")
    counts: dict[str, int] = {
        row.state: row.many
        for row in connection.execute(
            sa.select(items.state, sa.func.count().label("many"))
            .where(items.author == author, items.content_hash.not_in(sa.select(schema.known.c.content_hash)))
            .group_by(items.state)
        )
    }
    good, bad = (sum(counts.get(state, 0) for state in states) for states in (_GOOD, _BAD))
    facts = risk.facts_of(
        candidate.folder,
        submission.report,
        candidate.lineage,
        kind_known=_kind_known(connection, kind),
        decided=good + bad,
        turned_down=bad,
    )
    return columns(risk.risk(facts), candidate.content_hash)


def _recheck(connection: sa.Connection, row: sa.RowMapping, submission: Submission, at: str) -> None:
    inconclusive = row["verdict"] == Verdict.INCONCLUSIVE and row["state"] == State.QUEUED
    if not inconclusive or submission.report.verdict is Verdict.INCONCLUSIVE:
        return
    report = submission.report
    listed = {
        "verdict": report.verdict.value,
        "findings": len(report.findings),
        **_risk(connection, submission, row["answer"]),
    }
    connection.execute(schema.items.update().where(schema.items.c.id == row["id"]).values(**listed))
    connection.execute(
        schema.bodies.update()
        .where(schema.bodies.c.item_id == row["id"])
        .values(report=canonical(to_json(report)).decode())
    )
    change.record(
        connection,
        content_hash=row["content_hash"],
        kind="rechecked",
        actor=row["author"],
        data={"report_hash": report.hash},
        at=at,
    )


def _kind_known(connection: sa.Connection, kind: str) -> bool:
    """Whether an approved task has this kind of answer already."""
    items = schema.items.c
    query = sa.select(items.id).where(items.answer == kind, items.state.in_(_GOOD)).limit(1)
    return connection.execute(query).first() is not None
