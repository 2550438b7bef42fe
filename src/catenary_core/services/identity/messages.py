"""Data of identity's events, built from rows."""

from __future__ import annotations

from typing import Any

from catenary_core.database.statements import Row


def login_event(row: Row) -> dict[str, Any]:
    """Build the `data` of `user.login`: the user without personal fields."""
    shown = ("user_id", "admin", "disabled", "created_at", "updated_at", "deleted_at")
    return {"user": {name: row[name] for name in shown}}
