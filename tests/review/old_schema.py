"""Databases as version 1 wrote them, filled from a queue of today."""

from __future__ import annotations

import sqlalchemy as sa

from review import schema
from review.queue import Queue

VERSION_1 = """
CREATE TABLE review_meta (key VARCHAR(40) NOT NULL PRIMARY KEY, value TEXT);
CREATE TABLE review_items (id {serial}, task_id VARCHAR(64) NOT NULL, family VARCHAR(64) NOT NULL, title TEXT NOT NULL,
 version VARCHAR(20) NOT NULL, content_hash VARCHAR(64) NOT NULL UNIQUE, state VARCHAR(16) NOT NULL,
 author TEXT NOT NULL, licence TEXT NOT NULL, verdict VARCHAR(16) NOT NULL, findings INTEGER NOT NULL,
 created VARCHAR(32) NOT NULL, brief TEXT NOT NULL, report TEXT NOT NULL, lineage TEXT NOT NULL);
CREATE INDEX ix_review_items_task_id ON review_items (task_id);
CREATE INDEX ix_review_items_state ON review_items (state);
CREATE TABLE review_files (item_id INTEGER NOT NULL REFERENCES review_items (id), path VARCHAR(420) NOT NULL,
 data {bytes} NOT NULL, PRIMARY KEY (item_id, path));
CREATE TABLE review_events (seq INTEGER NOT NULL PRIMARY KEY, content_hash VARCHAR(64) NOT NULL,
 at VARCHAR(32) NOT NULL, actor TEXT NOT NULL, kind VARCHAR(32) NOT NULL, data TEXT NOT NULL,
 prev VARCHAR(64) NOT NULL, hash VARCHAR(64) NOT NULL);
CREATE INDEX ix_review_events_content_hash ON review_events (content_hash);
INSERT INTO review_meta VALUES ('schema', '1')
"""
TRIGGERS = schema.APPEND_ONLY["sqlite"]
OLD = "id task_id family title version content_hash state author licence verdict findings created".split()  # noqa: SIM905


def make_version_1(url: str, filled: Queue) -> None:
    """Turn the database at ``url`` into one of version 1 that holds what ``filled`` holds."""
    engine = sa.create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    sqlite = engine.dialect.name == "sqlite"
    words = ("INTEGER NOT NULL PRIMARY KEY", "BLOB") if sqlite else ("SERIAL PRIMARY KEY", "BYTEA")
    with engine.begin() as new, filled._store.read("copying") as old:
        schema.metadata.drop_all(new)
        for statement in VERSION_1.replace("{serial}", words[0]).replace("{bytes}", words[1]).split(";"):
            new.exec_driver_sql(statement)
        for statement in TRIGGERS if sqlite else ():
            new.exec_driver_sql(statement)
        joined = schema.items.join(schema.bodies, schema.bodies.c.item_id == schema.items.c.id)
        for row in old.execute(sa.select(schema.items, schema.bodies).select_from(joined)).mappings():
            values = {name: row[name] for name in (*OLD, "brief", "report", "lineage")}
            names = ", ".join(values)
            marks = ", ".join(f":{name}" for name in values)
            new.execute(sa.text(f"INSERT INTO review_items ({names}) VALUES ({marks})"), values)
        for table in (schema.files, schema.events):
            for row in old.execute(sa.select(table)).mappings():
                new.execute(table.insert().values(**row))
    engine.dispose()
