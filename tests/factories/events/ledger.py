"""The ledger of the fault test: what was written and acknowledged, what the log holds, and who may see which of it.

Its rules of who sees what are written a second time, from guide/conventions.md, "Events", and share nothing with the product.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import psycopg
from psycopg.rows import dict_row

LEFT_OUT = "notification.created"
"""Told to who lost the response of an evaluation, at a time of its own: no reader, webhook or log of a run counts it."""
FINAL = {"model.evaluation.completed", "model.evaluation.failed"}
_LOG = """SELECT id::text, sequence, type, project_id::text, environment_project_id::text, actor_id::text, subject, data
            FROM events.event WHERE sequence > (SELECT sequence FROM events.event WHERE id = %s) ORDER BY sequence"""
_WITHOUT_ORDER = "SELECT count(*) AS count FROM events.event WHERE sequence IS NULL"


@dataclass(frozen=True)
class User:
    """A caller: the platform projects that it is a member of, and the scopes of its API key; None for a token."""

    name: str
    user_id: str
    headers: Mapping[str, str]
    projects: frozenset[str] = frozenset()
    admin: bool = False
    scopes: frozenset[str] | None = None


@dataclass(frozen=True)
class Asked:
    """A reader's choice: a project's events, or types (names, or categories that end in `.*`)."""

    project_id: str | None = None
    types: tuple[str, ...] = ()

    @property
    def query(self) -> list[tuple[str, str]]:
        """Return the choice as the query of `/ws`."""
        found = [("types", one) for one in self.types]
        return found if self.project_id is None else [*found, ("project_id", self.project_id)]

    def covers(self, event: Mapping[str, Any]) -> bool:
        """Return whether the reader asks for an event."""
        if self.project_id is not None and event["project_id"] != self.project_id:
            return False
        type_ = event["type"]
        return not self.types or any(
            type_.startswith(one[:-1]) if one.endswith(".*") else type_ == one for one in self.types
        )


@dataclass
class Ledger:
    """The record of a run.

    `linked` has the platform project of each confidential project of the environment service. The changes asked for
    have a number, which their events show; `tried` counts how often each was asked for. An evaluation is always asked
    for under the same Idempotency-Key.
    """

    linked: Mapping[str, str]
    tried: Counter[tuple[str, int]] = field(default_factory=Counter)
    acknowledged: dict[tuple[str, int], str] = field(default_factory=dict)
    refused: Counter[str] = field(default_factory=Counter)
    log: Sequence[Mapping[str, Any]] = ()

    def read(self, dsn: str, after: str) -> bool:
        """Take in the log after an event; return whether all events have their order and all evaluations have ended."""
        with psycopg.connect(dsn, row_factory=dict_row) as connection:
            self.log = connection.execute(_LOG, [after]).fetchall()
            left = connection.execute(_WITHOUT_ORDER).fetchone()
        sequences = [event["sequence"] for event in self.log]
        assert sequences == list(range(sequences[0], sequences[0] + len(sequences))), "without a hole"
        self.log = [event for event in self.log if event["type"] != LEFT_OUT]
        return left == {"count": 0} and self._evaluations() <= {event["subject"] for event in self.log}

    def check(self) -> dict[str, int]:
        """Check that no acknowledged change is lost and that the log has no other; return the number of each kind."""
        renamed: Counter[int] = Counter()
        entered: Counter[int] = Counter()
        ended: Counter[str] = Counter()
        for event in self.log:
            if event["type"] == "project.updated":
                renamed[int(event["data"]["project"]["name"])] += 1
            elif event["type"] == "parameter.entry.updated":
                entered[int(event["data"]["entry"]["values"][0]["value"])] += 1
            else:
                assert event["type"] in FINAL, event
                ended[event["subject"]] += 1
        for kind, found in (("renamed", renamed), ("entered", entered)):
            for n, times in found.items():
                # One that was not acknowledged may have been done all the same, and was then done again.
                assert 1 <= times <= self.tried[kind, n], (kind, n, times)
            assert {n for done, n in self.acknowledged if done == kind} <= found.keys(), (
                "an acknowledged change is lost"
            )
        asked = sum(kind == "evaluated" for kind, _ in self.acknowledged)
        assert len(self._evaluations()) == asked, "each key made an evaluation of its own"
        assert ended == Counter(self._evaluations()), "each evaluation, asked for once or again, has one end"
        return {"renamed": renamed.total(), "entered": entered.total(), "ended": ended.total()}

    def of(self, user: User, asked: Asked) -> list[str]:
        """Return the ids of the events that a reader must have, in their order."""
        return [event["id"] for event in self.log if asked.covers(event) and self._sees(user, event)]

    def _evaluations(self) -> set[str]:
        return {f"/v1/evaluations/{id_}" for (kind, _), id_ in self.acknowledged.items() if kind == "evaluated"}

    def _sees(self, user: User, event: Mapping[str, Any]) -> bool:
        surface = event["type"].partition(".")[0]
        surface = surface if surface in ("parameter", "reference", "environment", "metadata") else "platform"
        if user.scopes is not None and f"{surface}:read" not in user.scopes:
            return False
        if user.admin or event["type"].startswith("system."):
            return True
        if event["type"].startswith("user."):
            return bool(event["actor_id"] == user.user_id)
        if event["project_id"] is not None:
            return event["project_id"] in user.projects
        return self.linked.get(event["environment_project_id"], "") in {"", *user.projects}
