"""Rows of the platform: which of them the statements reach, and what changes and deletions set."""

from __future__ import annotations

import re

import pytest
import sqlalchemy as sa

from catenary_core.database.columns import Id, id_column, shown, times
from catenary_core.database.statements import Statement
from catenary_core.resources.platform_rows import PlatformRow, inserted, project_of

TABLE = sa.Table(
    "thing",
    sa.MetaData(),
    id_column(),
    sa.Column("project_id", Id),
    sa.Column("name", sa.Text),
    sa.Column("note", sa.Text),
    sa.Column("created_by", Id),
    *times(),
)
PLAIN = PlatformRow(TABLE, (TABLE.c.id.label("thing_id"), TABLE.c.name), "thing_id")
OF_PROJECT = PlatformRow(
    TABLE,
    (TABLE.c.name,),
    holds=sa.and_(TABLE.c.project_id == sa.bindparam("project_id", type_=Id), TABLE.c.name != ""),
)


def _text(statement: Statement) -> str:
    return re.sub(r"\$\d+(::\w+)?", "?", " ".join(statement.sql.split()))


@pytest.mark.parametrize(
    ("row", "condition", "needed"),
    [
        (PLAIN, "WHERE thing.id = ? AND thing.deleted_at IS NULL", {"thing_id"}),
        (OF_PROJECT, "WHERE thing.id = ? AND thing.project_id = ? AND thing.name != ?", {"id", "project_id"}),
    ],
)
def test_every_statement_is_of_the_one_row_that_is_there(row: PlatformRow, condition: str, needed: set[str]) -> None:
    for statement in (row.one(), row.lock(), row.delete(), row.update(["note"])):
        assert condition in _text(statement)
        assert statement._required - {"note"} == needed


def test_a_row_is_read_with_its_columns_and_further_ones() -> None:
    assert _text(PLAIN.one(TABLE.c.note)).startswith("SELECT thing.id AS thing_id, thing.name, thing.note FROM")
    assert _text(PLAIN.lock()).endswith("FOR UPDATE")


def test_a_change_sets_the_given_fields_by_the_clock() -> None:
    statement = PLAIN.update({"note": "", "name": ""})
    assert "SET name=?, note=?, updated_at=clock_timestamp() WHERE" in _text(statement)
    assert _text(statement).endswith("RETURNING thing.id AS thing_id, thing.name")
    assert statement.parameters({"thing_id": 1, "name": 2, "note": 3}) == [2, 3, 1]
    assert PLAIN.update(["name", "note"]) is statement
    assert PLAIN.update(["note"]) is not statement


def test_a_deletion_gives_both_times_one_instant() -> None:
    text = _text(PLAIN.delete())
    assert "SET updated_at=statement_timestamp(), deleted_at=statement_timestamp() WHERE" in text
    assert text.endswith("RETURNING thing.id AS thing_id, thing.name")


def test_a_list_goes_by_creation_and_its_cursor_by_the_label() -> None:
    things = PLAIN.listed(PLAIN.active, newest_first=True)
    assert "WHERE thing.deleted_at IS NULL ORDER BY thing.created_at DESC, thing.id DESC" in _text(things.first)
    assert things.id_key == "thing_id"


def test_an_insertion_has_the_named_columns_alone() -> None:
    statement = Statement(inserted(TABLE, "id", "name").values(note="new"))
    assert _text(statement) == "INSERT INTO thing (id, name, note) VALUES (?, ?, ?)"
    assert statement.parameters({"id": 1, "name": 2}) == [1, 2, "new"]


def test_a_project_is_found_while_it_is_active() -> None:
    text = _text(project_of(TABLE, PLAIN.this))
    assert (
        "JOIN projects.active_project ON thing.project_id = projects.active_project.project_id WHERE thing.id" in text
    )


def test_a_message_names_who_made_the_row() -> None:
    text = _text(Statement(sa.select(*shown(TABLE.c))))
    assert "thing.name" in text
    assert "json_build_object" in text
    assert "END AS created_by" in text
