"""A running node and everybody who may call it."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import orjson
import sqlalchemy as sa

from catenary_core.bootstrap import Core
from catenary_core.database.statements import Row, Statement, metadata
from catenary_core.services.identity import scopes
from catenary_core.services.identity.clients.creation import create_client
from catenary_core.services.identity.tokens.access_tokens import AccessTokens
from catenary_core.services.identity.tokens.signing_keys import SigningKeys
from factories.isolation.operations import Request
from factories.services.evaluations import run_sql

UNKNOWN = (
    "anonymous",
    "expired token",
    "revoked token",
    "disabled client",
    "key of a disabled client",
    "revoked key",
    "expired key",
    "revoked link",
    "expired link",
)
"""Principals that are nobody to the platform."""
OUTSIDERS = ("outsider", "key of another project's owner", "key of an Admin")
"""Principals that have no part in the hidden side; an Admin's key is no Admin."""
LINKS = ("project link", "variant link", "link of another project")
"""Share links: to the hidden project, to one of its variants, and to the open project."""
ROLES = ("viewer", "evaluator", "editor", "owner")
INSIDERS = (*ROLES, "admin")
_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z")
_SHOWN_HEADERS = ("ETag", "Location", "Retry-After", "WWW-Authenticate", "Cache-Control", "Content-Type", "Vary")
# Every row of every table but what any call may touch: the use of a key and a login are noted, and a call is counted, even when
# it is refused, in the audit trail too; and nodes report that they run. Events get their place in the log a moment after they
# are written, and tell users a moment after that: of notifications those count that somebody has read. Files of a deleted
# project are released a moment after the deletion.
_ROW = "(to_jsonb(t) - 'last_used_at' - 'last_login_at' - 'sequence')::text"
_COUNTED = {
    "notifications.notification": " WHERE read_at IS NOT NULL",
    "events.event": " WHERE type <> 'notification.created'",
}
_DIGEST = "SELECT " + ", ".join(
    f"(SELECT md5(coalesce(string_agg(md5({_ROW}), '' ORDER BY md5({_ROW})), ''))"
    f' FROM {table.schema}."{table.name}" t{_COUNTED.get(table.fullname, "")}) AS "{table.fullname}"'
    for table in metadata.sorted_tables
    if table.schema not in ("limits", "audit", "objects")
    and table.fullname not in ("identity.failed_grant", "identity.signing_key", "keyring.node")
)


@dataclass(frozen=True, slots=True)
class Answer:
    """A caller's answer: status, headers that could tell something, and the text without its time."""

    status: int
    headers: tuple[tuple[str, str], ...]
    text: str

    @property
    def json(self) -> Any:
        """The body."""
        return orjson.loads(self.text)

    def without(self, ids: Iterable[str]) -> tuple[int, tuple[tuple[str, str], ...], str]:
        """Return the answer with the request's own ids taken out, in the order given."""
        text = self.text
        for number, id_ in enumerate(ids):
            text = re.sub(id_, f"<id {number}>", text, flags=re.IGNORECASE)
        return self.status, self.headers, text

    @property
    def shape(self) -> tuple[int, str]:
        """The answer without any id and time."""
        return self.status, _TIME.sub("<time>", _ID.sub("<id>", self.text))


@dataclass(slots=True)
class Principals:
    """The node and who may call it, by name."""

    core: Core
    http: aiohttp.ClientSession
    headers: dict[str, dict[str, str]] = field(default_factory=dict)
    user_ids: dict[str, str] = field(default_factory=dict)

    async def call(self, principal: str, request: Request) -> Answer:
        """Send a request as a principal."""
        sent = {"X-Request-Id": "matrix", "Prefer": "respond-async", **self.headers[principal]}
        content: dict[str, Any] = {}
        if isinstance(request.body, bytes):
            content = {"data": request.body}
            sent["Content-Type"] = "text/x-python" if request.url.endswith("/versions") else "text/csv"
        elif request.body is not None:
            content = {"data": orjson.dumps(request.body)}
            sent["Content-Type"] = "application/json"
        async with self.http.request(request.method, request.url, headers=sent, **content) as response:
            # A stream of events goes on; that it was opened is the answer.
            streams = response.content_type == "text/event-stream"
            text = "" if streams else (await response.read()).decode()
        body = orjson.loads(text) if response.content_type == "application/json" and text else None
        if isinstance(body, dict) and isinstance(body.get("metadata"), dict):
            body["metadata"]["timestamp"] = "<time>"
            text = orjson.dumps(body).decode()
        shown = tuple((name, response.headers[name]) for name in _SHOWN_HEADERS if name in response.headers)
        return Answer(response.status, shown, text)

    async def ok(self, principal: str, method: str, url: str, body: Any = None) -> Any:
        """Return the body of an answer that must be good."""
        answer = await self.call(principal, Request(method, url, body))
        assert answer.status < 300, f"{principal}: {method} {url}: {answer.status} {answer.text}"
        found = answer.json
        return found.get("data", found)

    async def events(self, principal: str, after: str, until: str) -> str:
        """Return the server-sent events that a principal gets after an event, up to one that names `until`."""
        text = ""
        async with (
            asyncio.timeout(300),
            self.http.get("/v1/events", params={"after": after}, headers=self.headers[principal]) as response,
        ):
            assert response.status == 200, await response.text()
            async for line in response.content:
                text += line.decode()
                if until in text:
                    return text
        raise AssertionError(f"the stream of {principal} ended: {text}")

    async def digest(self) -> Row:
        """Return a digest of all tables: equal digests mean equal rows and events. Deliveries under way are waited for."""
        await self.sent()
        return (await run_sql(self.core.frame.db, _DIGEST))[0]

    async def sent(self) -> None:
        """Wait until nothing is on its way to a webhook."""
        pending = "SELECT count(*) AS n FROM webhooks.delivery WHERE status = 'pending'"
        async with asyncio.timeout(60):
            while (await run_sql(self.core.frame.db, pending))[0]["n"]:  # noqa: ASYNC110 (another task sends)
                await asyncio.sleep(0.02)

    @asynccontextmanager
    async def guard_off(self) -> AsyncIterator[None]:
        """Disable the rule of confidential projects for the block: no project counts as confidential."""
        select = "SELECT project_id, created_by FROM environment.project"
        async with self._view_without_rows("environment.confidential_project", f"{select} WHERE confidential"):
            yield

    @asynccontextmanager
    async def rights_off(self) -> AsyncIterator[None]:
        """Disable the rule of linked projects for the block: every project is open to those who see it."""
        select = (
            "SELECT environment_project_id, project_id FROM projects.project WHERE environment_project_id IS NOT NULL"
        )
        async with self._view_without_rows("projects.linked_project", f"{select} AND deleted_at IS NULL"):
            yield

    @asynccontextmanager
    async def _view_without_rows(self, view: str, select: str) -> AsyncIterator[None]:
        """Empty a view, whose query is `select`, for the block."""
        await self._replace_view(view, f"{select} AND false")
        try:
            yield
        finally:
            await self._replace_view(view, select)

    async def _replace_view(self, view: str, select: str) -> None:
        async with self.core.frame.db.transaction() as tx:
            await tx.execute(Statement(sa.text(f"CREATE OR REPLACE VIEW {view} AS {select}")))
            # Edges keep answers while no statement changes a table; a view is none.
            await tx.execute(
                Statement(sa.text("UPDATE environment.project SET confidential = confidential WHERE false"))
            )

    async def add_people(self) -> None:
        """Add every principal, except those that are made of a person's credentials."""
        frame = self.core.frame
        secrets: dict[str, dict[str, str]] = {}
        for name in (*INSIDERS, "outsider", "maker of a key", "revoked token", "disabled client"):
            async with frame.db.transaction() as tx:
                row, secret = await create_client(tx, frame.secrets, name, name == "admin")
            self.user_ids[name] = row["user_id"]
            secrets[name] = {"client_id": row["client_id"], "client_secret": secret}
        self.headers["anonymous"] = {}
        for name, secret_of in secrets.items():
            grant = {"grant_type": "client_credentials", **secret_of}
            token = (await self.ok("anonymous", "POST", "/v1/auth/token", grant))["access_token"]
            self.headers[name] = {"Authorization": f"Bearer {token}"}
        revoked = self.headers["revoked token"]["Authorization"].removeprefix("Bearer ")
        gone = Request("POST", "/v1/auth/revoke", {"token": revoked, **secrets["revoked token"]})
        assert (await self.call("anonymous", gone)).status == 200
        await self._add_keys()
        # Neither the one's token nor the other's key has been used before, so that no cache knows them.
        for name in ("disabled client", "maker of a key"):
            await self.ok("admin", "PATCH", f"/v1/users/{self.user_ids[name]}", {"disabled": True})
        past = AccessTokens(
            frame.settings, frame.secrets, SigningKeys(frame.db, frame.secrets), lambda: time.time() - 7200
        )
        expired = await past.issue(
            {
                "id": secrets["owner"]["client_id"],
                "user_id": self.user_ids["owner"],
                "token_generation": 0,
            },
            scopes.ALL,
        )
        self.headers["expired token"] = {"Authorization": f"Bearer {expired}"}

    async def _add_keys(self) -> None:
        platform = [scope for scope in scopes.ALL if scope.startswith("platform:")]
        data = [scope for scope in scopes.ALL if scope not in platform]
        reading = [scope for scope in scopes.ALL if scope.endswith(":read")]
        for name, owner, held in (
            ("key of another project's owner", "outsider", list(scopes.ALL)),
            ("key of an Admin", "admin", list(scopes.ALL)),
            ("platform key", "owner", platform),
            ("data key", "owner", data),
            ("key that only reads", "owner", reading),
            ("key of a disabled client", "maker of a key", list(scopes.ALL)),
            ("revoked key", "owner", list(scopes.ALL)),
            ("expired key", "owner", list(scopes.ALL)),
        ):
            made = await self.ok(owner, "POST", "/v1/api_keys", {"name": name, "scopes": held})
            self.headers[name] = {"X-API-Key": made["key"]}
            if name == "revoked key":
                await self.ok(owner, "DELETE", f"/v1/api_keys/{made['api_key']['api_key_id']}")
            if name == "expired key":
                past = "UPDATE identity.api_key SET expires_at = clock_timestamp() - interval '1 hour' WHERE id = :id"
                await run_sql(self.core.frame.db, past, id=made["api_key"]["api_key_id"])
