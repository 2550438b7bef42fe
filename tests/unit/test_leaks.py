"""The reader of error bodies finds what must be in none, and takes what a caller wrote as the caller's."""

from __future__ import annotations

import orjson
import pytest

from catenary_core.call.errors import DomainError
from factories.checks import leaks

ID = "01890000-0000-7000-8000-00000000abcd"


def _body(message: str) -> bytes:
    return orjson.dumps({"success": False, "error": {"code": "X", "message": message, "details": {}}, "metadata": {}})


@pytest.mark.parametrize(
    "message",
    [
        'Traceback (most recent call last): File "x"',
        "KeyError('name')",
        "at handlers.py:17",
        "<object at 0x7fa992b95bd0>",
        "INSERT INTO projects.project VALUES (1)",
        'duplicate key value violates unique constraint "project_pkey"',
        "DETAIL: Key (email)=(ada@example.com) already exists.",
        'syntax error at or near ")"',
        "can't open /var/lib/catenary/secret.key",
        "failed to connect to 127.0.0.1:50051",
        "psycopg.errors.UniqueViolation",
        "catenary_core failed",
        f"It belongs to {ID}.",
    ],
)
def test_what_is_ours_is_found_in_a_body(message: str) -> None:
    assert leaks.found(_body(message), "GET /v1/projects")
    assert leaks.found(orjson.dumps({"details": message, "msg": "Invalid request"}), "GET /comments/v2/comments")
    assert leaks.found(message.encode(), "")


@pytest.mark.parametrize(
    ("message", "sent"),
    [
        ("name must be a string.", ""),
        (f"There is no {ID}.", f"GET /v1/projects/{ID.upper()}"),
        ("There is no route /var/lib/x.", "GET /var/lib/x"),
        ("The value of sort_by is unknown: SELECT 1 FROM users", "GET /x?sort_by=SELECT 1 FROM users"),
    ],
)
def test_what_the_caller_wrote_is_no_leak(message: str, sent: str) -> None:
    assert leaks.found(_body(message), sent) == []


def test_a_body_is_read_wherever_a_refusal_is_made(leaks: leaks.Watch) -> None:
    from catenary_core.call import errors

    before = leaks.read
    errors.to_call_error(DomainError("NOT_FOUND", "KeyError('x') at queries.py:3"), "id")
    assert leaks.read == before + 1
    assert len(leaks.leaks) == 1
    leaks.leaks.clear()
