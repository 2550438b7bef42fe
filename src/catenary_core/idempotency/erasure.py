"""The name of an erased person in the stored responses of the last day."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import sqlalchemy as sa

from catenary_core.database.statements import Statement
from catenary_core.database.transactions import Transaction
from catenary_core.idempotency.content import Sealer
from catenary_core.idempotency.records import record
from catenary_core.secrets import Secrets

_NUMBERS = ("grade_level",)
_TEXTS = frozenset(
    {
        "staff_name",
        "email",
        "company_centre_unit",
        "location_name",
        "my_people_page_url",
        "project_director_name",
        "project_director_email",
        "project_manager_name",
        "project_manager_email",
    }
)
"""Fields of a person in responses."""
BATCH = 500
"""Largest number of records that are read at a time."""
_id = record.c.id
_READ = Statement(
    sa.select(_id, record.c.answer)
    .where(_id > sa.bindparam("after", type_=_id.type))
    .order_by(_id)
    .limit(sa.literal(BATCH, type_=sa.Integer))
)
_REPLACE = Statement(
    sa.update(record)
    .where(
        _id == sa.bindparam("record_id", type_=_id.type),
        record.c.answer == sa.bindparam("old", type_=record.c.answer.type),
    )
    .values(answer=sa.bindparam("new", type_=record.c.answer.type))
)


async def erase_person(tx: Transaction, secrets: Secrets, user_id: str, texts: Collection[str]) -> None:
    """Take a person out of every stored response; what a repeated call gets is otherwise as it was.

    Args:
        tx: transaction of the erasure.
        secrets: keys of the installation.
        user_id: id of the person's user, which stays.
        texts: the person's name and the other texts of the person, none of them empty.
    """
    sealer, after = Sealer(secrets), b""
    while rows := await tx.all(_READ, after=after):
        for row in rows:
            after, answer = bytes(row["id"]), bytes(row["answer"])
            new = sealer.changed(answer, lambda body: without_person(body, user_id, texts))
            if new is not None:
                await tx.execute(_REPLACE, record_id=after, old=answer, new=new)


def without_person(value: Any, user_id: str, texts: Collection[str]) -> Any:
    """Return a copy of JSON in which the person's texts are empty.

    A text counts in a field of a person; under `name`, which other things have too, only beside the person's id.
    """
    if isinstance(value, list):
        return [without_person(item, user_id, texts) for item in value]
    if not isinstance(value, dict):
        return value
    is_of_person = value.get("user_id") == user_id
    found: dict[str, Any] = {}
    for key, item in value.items():
        if key in _NUMBERS and is_of_person:
            found[key] = None
        elif isinstance(item, str) and item in texts and (key in _TEXTS or (key == "name" and is_of_person)):
            found[key] = ""
        else:
            found[key] = without_person(item, user_id, texts)
    return found
