"""Numbered steps from one schema version to the next. A step that was released is never changed.

All steps of an opening run in one transaction: a kill leaves the database as it was.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

import sqlalchemy as sa

from bootcamp_kit.errors import BootcampError, UsageError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.report import Report
from review import records, risk, schema

Step = Callable[[sa.Connection], None]
OLDEST = 1


def migrate(connection: sa.Connection, found: int) -> None:
    """Lead a database of version ``found`` to the newest, in the caller's transaction."""
    for version in range(found + 1, schema.SCHEMA_VERSION + 1):
        STEPS[version](connection)
        connection.execute(schema.meta.update().where(schema.meta.c.key == "schema").values(value=str(version)))


def _to_2(connection: sa.Connection) -> None:
    """Bodies apart from the list; risk, rank and search text; claims and looks; the log protected everywhere."""
    for statement in (
        "CREATE TABLE review_bodies (item_id INTEGER NOT NULL PRIMARY KEY REFERENCES review_items (id), "
        "brief TEXT NOT NULL, report TEXT NOT NULL, lineage TEXT NOT NULL)",
        "INSERT INTO review_bodies SELECT id, brief, report, lineage FROM review_items",
        *(f"ALTER TABLE review_items DROP COLUMN {name}" for name in ("brief", "report", "lineage")),
        "ALTER TABLE review_items ADD COLUMN answer VARCHAR(16) NOT NULL DEFAULT ''",
        "ALTER TABLE review_items ADD COLUMN risk INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE review_items ADD COLUMN rank INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE review_items ADD COLUMN risk_reasons TEXT NOT NULL DEFAULT '[]'",
        "ALTER TABLE review_items ADD COLUMN search TEXT NOT NULL DEFAULT ''",
        "DROP INDEX IF EXISTS ix_review_items_state",
        "CREATE INDEX ix_review_items_order ON review_items (state, rank, id)",
        "CREATE INDEX ix_review_items_author ON review_items (author, state)",
        "CREATE INDEX ix_review_items_answer ON review_items (answer, state)",
        "CREATE TABLE review_claims (content_hash VARCHAR(64) NOT NULL PRIMARY KEY, reviewer TEXT NOT NULL, "
        "until VARCHAR(32) NOT NULL)",
    ):
        connection.exec_driver_sql(statement)
    schema.looks.create(connection)
    if connection.dialect.name != "sqlite":
        schema.protect_log(connection)
    for row in connection.execute(sa.text("SELECT id, task_id, family, title, author FROM review_items")).all():
        values = {"search": search_text(row.task_id, row.family, row.title, row.author), **_judged(connection, row.id)}
        sets = ", ".join(f"{name} = :{name}" for name in values)
        connection.execute(sa.text(f"UPDATE review_items SET {sets} WHERE id = :id"), {**values, "id": row.id})


def _judged(connection: sa.Connection, item_id: int) -> Mapping[str, object]:
    """Risk columns of an old item; an item that cannot be read is looked at first."""
    body = connection.execute(
        sa.text("SELECT report, lineage FROM review_bodies WHERE item_id = :id"), {"id": item_id}
    ).one()
    rows = connection.execute(sa.text("SELECT path, data FROM review_files WHERE item_id = :id"), {"id": item_id}).all()
    try:
        folder = TaskFolder({row.path: bytes(row.data) for row in rows})
        report, lineage = Report.from_json(json.loads(body.report)), records.lineage_from_json(json.loads(body.lineage))
        judged = risk.risk(risk.facts_of(folder, report, lineage))
    except (BootcampError, ValueError, TypeError):
        judged = risk.Risk(100, ("what is stored of it cannot be read",))
        return {"answer": "", **columns(judged, "")}
    return {"answer": _kind(folder), **columns(judged, folder.content_hash)}


def _kind(folder: TaskFolder) -> str:
    try:
        return folder.card.answer.kind
    except UsageError:
        return ""


def columns(judged: risk.Risk, content_hash: str) -> dict[str, object]:
    """What the list keeps of a risk."""
    return {
        "risk": judged.points,
        "rank": risk.rank(judged.points, content_hash),
        "risk_reasons": json.dumps(list(judged.reasons)),
    }


def search_text(*parts: str) -> str:
    """What a search looks through: one line, case folded."""
    return " ".join(" ".join(parts).casefold().split()).replace("\0", " ")


def _to_3(connection: sa.Connection) -> None:
    """Known items, to measure reviewers."""
    connection.exec_driver_sql(
        "CREATE TABLE review_known (content_hash VARCHAR(64) NOT NULL PRIMARY KEY, name TEXT NOT NULL, "
        "style VARCHAR(16) NOT NULL, fault TEXT NOT NULL)"
    )


def _to_4(connection: sa.Connection) -> None:
    """The whole list in its order, without sorting it."""
    connection.exec_driver_sql("CREATE INDEX ix_review_items_rank ON review_items (rank, id)")


STEPS: Mapping[int, Step] = {2: _to_2, 3: _to_3, 4: _to_4}
"""Version → the step that leads to it from the one before."""
