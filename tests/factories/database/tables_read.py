"""Which tables the answers that an edge keeps are made from, read off the plans of the statements that ran for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from typing import Any

import psycopg
import pytest

from catenary_core.call.call import Identity
from catenary_core.database.statements import Statement
from catenary_core.database.transactions import Transaction
from catenary_core.services.identity.tokens.credentials import Credentials
from catenary_edge import surfaces
from catenary_edge.app import Edge
from catenary_edge.exchange import Exchange
from catenary_edge.transcoding.routes import Match

_surface: ContextVar[str | None] = ContextVar("surface", default=None)


class Reads:
    """The statements that ran for kept answers while it was installed, by surface."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.statements: set[tuple[str, str]] = set()
        match, run, authenticate = Edge._match, Transaction._run, Credentials.authenticate

        def noted_match(edge: Edge, exchange: Exchange) -> Match | None:
            found = match(edge, exchange)
            kept = found is not None and found.route.cacheable
            _surface.set(surfaces.name_of(found.route.rpc.surface) if found is not None and kept else None)
            return found

        async def noted_run(tx: Transaction, statement: Statement, given: Mapping[str, Any]) -> Any:
            surface = _surface.get()
            text = statement.sql.lstrip()
            # The question for versions is asked on behalf of the answer, which is not made of it.
            if surface is not None and text.startswith(("SELECT", "WITH")) and "caching.change_count" not in text:
                self.statements.add((surface, text))
            return await run(tx, statement, given)

        async def unnoted(credentials: Credentials, metadata: Mapping[str, str]) -> Identity:
            """Skip the look-up of the caller: it runs every 5 s and is no part of a kept answer."""
            token = _surface.set(None)
            try:
                return await authenticate(credentials, metadata)
            finally:
                _surface.reset(token)

        monkeypatch.setattr(Credentials, "authenticate", unnoted)
        monkeypatch.setattr(Edge, "_match", noted_match)
        monkeypatch.setattr(Transaction, "_run", noted_run)

    def tables(self, dsn: str) -> dict[str, set[str]]:
        """Return the tables (`schema.name`) that each surface's statements scan, views taken apart."""
        found: dict[str, set[str]] = {}
        with psycopg.connect(dsn, autocommit=True) as connection:
            for surface, sql in sorted(self.statements):
                found.setdefault(surface, set()).update(_scanned(connection, sql))
        return found


def _scanned(connection: psycopg.Connection[Any], sql: str) -> set[str]:
    """Return the tables of a generic plan; a plan for given values may leave out tables that they make needless."""
    (plan,) = connection.execute(f"EXPLAIN (GENERIC_PLAN, VERBOSE, FORMAT JSON) {sql}".encode()).fetchone() or ([],)
    return set(_tables(plan))


def _tables(node: Any) -> Iterator[str]:
    if isinstance(node, list):
        for one in node:
            yield from _tables(one)
    elif isinstance(node, dict):
        if "Relation Name" in node:
            yield f"{node['Schema']}.{node['Relation Name']}"
        for one in node.values():
            yield from _tables(one)
