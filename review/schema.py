"""The tables of the review database, as the newest schema version has them; ``migrations.py`` leads up to it.

The list of items is kept apart from what an item weighs (brief, report, lineage, files), so that listing and searching
a hundred thousand items reads a few megabytes and not a few gigabytes.
"""

from __future__ import annotations

import sqlalchemy as sa

SCHEMA_VERSION = 4
PREFIX = "review_"

metadata = sa.MetaData()
meta = sa.Table(
    f"{PREFIX}meta", metadata, sa.Column("key", sa.String(40), primary_key=True), sa.Column("value", sa.Text)
)
items = sa.Table(
    f"{PREFIX}items",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("task_id", sa.String(64), nullable=False, index=True),
    sa.Column("family", sa.String(64), nullable=False),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("version", sa.String(20), nullable=False),
    sa.Column("content_hash", sa.String(64), nullable=False, unique=True),
    sa.Column("state", sa.String(16), nullable=False),
    sa.Column("author", sa.Text, nullable=False),
    sa.Column("licence", sa.Text, nullable=False),
    sa.Column("verdict", sa.String(16), nullable=False),
    sa.Column("findings", sa.Integer, nullable=False),
    sa.Column("created", sa.String(32), nullable=False),
    sa.Column("answer", sa.String(16), nullable=False, server_default=""),
    sa.Column("risk", sa.Integer, nullable=False, server_default="0"),
    sa.Column("rank", sa.Integer, nullable=False, server_default="0"),
    sa.Column("risk_reasons", sa.Text, nullable=False, server_default="[]"),
    sa.Column("search", sa.Text, nullable=False, server_default=""),
    sa.Index(f"ix_{PREFIX}items_order", "state", "rank", "id"),
    sa.Index(f"ix_{PREFIX}items_rank", "rank", "id"),
    sa.Index(f"ix_{PREFIX}items_author", "author", "state"),
    sa.Index(f"ix_{PREFIX}items_answer", "answer", "state"),
)
bodies = sa.Table(
    f"{PREFIX}bodies",
    metadata,
    sa.Column("item_id", sa.ForeignKey(items.c.id), primary_key=True),
    sa.Column("brief", sa.Text, nullable=False),
    sa.Column("report", sa.Text, nullable=False),
    sa.Column("lineage", sa.Text, nullable=False),
)
files = sa.Table(
    f"{PREFIX}files",
    metadata,
    sa.Column("item_id", sa.ForeignKey(items.c.id), primary_key=True),
    sa.Column("path", sa.String(420), primary_key=True),
    sa.Column("data", sa.LargeBinary, nullable=False),
)
events = sa.Table(
    f"{PREFIX}events",
    metadata,
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("content_hash", sa.String(64), nullable=False, index=True),
    sa.Column("at", sa.String(32), nullable=False),
    sa.Column("actor", sa.Text, nullable=False),
    sa.Column("kind", sa.String(32), nullable=False),
    sa.Column("data", sa.Text, nullable=False),
    sa.Column("prev", sa.String(64), nullable=False),
    sa.Column("hash", sa.String(64), nullable=False),
)
claims = sa.Table(
    f"{PREFIX}claims",
    metadata,
    sa.Column("content_hash", sa.String(64), primary_key=True),
    sa.Column("reviewer", sa.Text, nullable=False),
    sa.Column("until", sa.String(32), nullable=False),
)
known = sa.Table(
    f"{PREFIX}known",
    metadata,
    sa.Column("content_hash", sa.String(64), primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("style", sa.String(16), nullable=False),
    sa.Column("fault", sa.Text, nullable=False),
)
"""Items of which it is known whether they are broken; see ``calibration.py``."""
looks = sa.Table(
    f"{PREFIX}looks",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("content_hash", sa.String(64), nullable=False, index=True),
    sa.Column("reviewer", sa.Text, nullable=False),
    sa.Column("at", sa.String(32), nullable=False),
    sa.Column("what", sa.String(80), nullable=False),
)

_REFUSED = "events are append-only"
APPEND_ONLY = {
    "sqlite": (
        f"CREATE TRIGGER {PREFIX}events_no_update BEFORE UPDATE ON {PREFIX}events "
        f"BEGIN SELECT RAISE(ABORT, '{_REFUSED}'); END",
        f"CREATE TRIGGER {PREFIX}events_no_delete BEFORE DELETE ON {PREFIX}events "
        f"BEGIN SELECT RAISE(ABORT, '{_REFUSED}'); END",
    ),
    "postgresql": (
        f"CREATE OR REPLACE FUNCTION {PREFIX}refuse() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{_REFUSED}'; END $$",
        f"CREATE TRIGGER {PREFIX}events_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON {PREFIX}events "
        f"FOR EACH STATEMENT EXECUTE FUNCTION {PREFIX}refuse()",
    ),
}
"""Dialect → statements that make the log refuse UPDATE and DELETE."""


def create(connection: sa.Connection) -> None:
    """All tables, the triggers and the schema's number, in the caller's transaction."""
    metadata.create_all(connection)
    protect_log(connection)
    connection.execute(meta.insert().values(key="schema", value=str(SCHEMA_VERSION)))


def protect_log(connection: sa.Connection) -> None:
    """Make the database itself refuse changes to events, where it can."""
    for statement in APPEND_ONLY.get(connection.dialect.name, ()):
        connection.exec_driver_sql(statement)
