"""What identity shows of its rows besides the rows themselves."""

from __future__ import annotations

from typing import Any

from catenary_core.database.statements import Row


def login_event(row: Row) -> dict[str, Any]:
    """The `data` of `user.login`: the user without a person's fields."""
    shown = ("user_id", "admin", "disabled", "created_at", "updated_at", "deleted_at")
    return {"user": {name: row[name] for name in shown}}
