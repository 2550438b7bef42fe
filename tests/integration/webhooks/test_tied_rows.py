"""Webhooks are told of rows that refer to something of a project as those who see the project are, and no others.

See guide/conventions.md, "References".
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import uuid_utils

from catenary_core.access import audience
from factories.events.world import Caller
from factories.webhooks.world import Hooks, hooks, until

OWNER, OUTSIDER, KEY, ADMIN = "/owner", "/outsider", "/key", "/admin"
_KINDS = {"comments.comment.created", "qa.record.created", "reference.source.created"}


@pytest.fixture
async def here(dsn: str, tmp_path: Path) -> AsyncIterator[Hooks]:
    async with hooks(dsn, tmp_path) as made:
        yield made


class Tied:
    """An owner with a confidential project and one of the platform, and a webhook of each kind of reader."""

    def __init__(self, here: Hooks) -> None:
        self.here = here
        self.people: dict[str, Caller] = {}
        self.webhooks: dict[str, dict[str, Any]] = {}
        self.types: dict[str, str] = {}

    async def prepare(self) -> None:
        """Make the people, an Admin's key among them, the types and the webhooks."""
        world = self.here.world
        self.people = {path: await world.caller(path[1:], admin=path == ADMIN) for path in (OWNER, OUTSIDER, ADMIN)}
        for kind, path in (("record", "/qa/v2/record_types"), ("source", "/reference/v2/source_types")):
            made = await world.call(self.people[ADMIN], "POST", path, 201, json={"name": f"Kind of {kind}"})
            self.types[kind] = next(iter(made.values()))["id"]
        scopes = [f"{name}:{way}" for name in ("comments", "qa", "reference", "platform") for way in ("read", "write")]
        body = {"name": "k", "scopes": scopes}
        made = await world.call(self.people[ADMIN], "POST", "/v1/api_keys", 201, json=body)
        for path, caller in self.people.items():
            self.webhooks[path] = await self.here.webhook(caller, path)
        await self.here.passed()
        sent = {"url": self.here.receiver.url(KEY), "events": ["*"]}
        headers = {"X-API-Key": made["data"]["key"]}
        async with world.http.post(f"{world.url}/v1/webhooks", json=sent, headers=headers) as answer:
            assert answer.status == 201, await answer.text()

    async def project(self, *, confidential: bool) -> str:
        """Make an environment project of the owner's."""
        body = {"number": str(uuid_utils.uuid7()), "confidential": confidential}
        made = await self.here.world.call(self.people[OWNER], "POST", "/environment/v2/projects", 201, json=body)
        return str(made["project"]["project_id"])

    async def refer(self, reference_id: str) -> set[str]:
        """Make a comment, a QA record and a source of the owner's that refer to an id; return their ids."""
        reference = {"reference_id": reference_id, "reference_table": "any", "reference_url": "https://example.com/x"}
        found = set()
        for path, item in (
            ("/comments/v2/comments", [{**reference, "content": "Seen"}]),
            ("/qa/v2/records", [{**reference, "type_id": self.types["record"]}]),
            ("/reference/v2/sources", {**reference, "title": "Survey", "source_type_id": self.types["source"]}),
        ):
            made = await self.here.world.call(self.people[OWNER], "POST", path, 201, json=item)
            one = next(iter(made.values()))
            found.add(str((one[0] if isinstance(one, list) else one)["id"]))
        return found

    async def told(self, ids: set[str]) -> dict[str, set[str]]:
        """Return the types of events that name one of the ids, by webhook.

        A later event that everybody sees is waited for.
        """
        marker = str(uuid_utils.uuid7())
        last = await self.refer(marker)

        def types(path: str, wanted: set[str]) -> set[str]:
            found = (request.event for request in self.here.receiver.of(path))
            return {one["type"] for one in found if any(id_ in str(one) for id_ in wanted)}

        async with asyncio.timeout(60):
            for path in (OWNER, OUTSIDER, KEY, ADMIN):
                while types(path, last) != _KINDS:  # noqa: ASYNC110 (what is waited for comes over a socket)
                    await asyncio.sleep(0.02)
        # They are made in the order of events, and sent in any.
        await until(lambda: not self.here.sql("SELECT webhook_id FROM webhooks.delivery WHERE status = 'pending'"))
        return {path: types(path, ids) for path in (OWNER, OUTSIDER, KEY, ADMIN)}


@pytest.fixture
async def tied(here: Hooks) -> Tied:
    made = Tied(here)
    await made.prepare()
    return made


SEEN_INSIDE = {OWNER: _KINDS, OUTSIDER: set(), KEY: set(), ADMIN: _KINDS}
SEEN_BY_ALL = dict.fromkeys((OWNER, OUTSIDER, KEY, ADMIN), _KINDS)


async def test_rows_that_refer_to_a_confidential_project_are_sent_to_those_who_see_it(tied: Tied) -> None:
    ids = await tied.refer(await tied.project(confidential=True))
    assert await tied.told(ids) == SEEN_INSIDE
    # No delivery was made that an outsider could read the log of.
    logged = await tied.here.deliveries(tied.people[OUTSIDER], tied.webhooks[OUTSIDER])
    assert not any(id_ in str(logged) for id_ in ids)


async def test_rows_that_refer_to_a_project_of_the_platform_are_sent_to_its_members(tied: Tied) -> None:
    project_id = await tied.here.world.project(tied.people[OWNER])
    ids = await tied.refer(project_id)
    assert await tied.told(ids) == SEEN_INSIDE


async def test_a_project_that_becomes_confidential_hides_what_is_sent_after_it(tied: Tied) -> None:
    project_id = await tied.project(confidential=False)
    assert await tied.told(await tied.refer(project_id)) == SEEN_BY_ALL
    path = f"/environment/v2/projects/{project_id}"
    await tied.here.world.call(tied.people[OWNER], "PATCH", path, json={"confidential": True})
    assert await tied.told(await tied.refer(project_id)) == SEEN_INSIDE


@pytest.mark.slow
async def test_without_the_projects_of_rows_every_webhook_would_be_told(
    tied: Tied, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The guard of the tests above."""
    monkeypatch.setattr(audience, "_viewers", lambda *_: None)
    confidential = await tied.refer(await tied.project(confidential=True))
    platform = await tied.refer(await tied.here.world.project(tied.people[OWNER]))
    assert await tied.told(confidential) == SEEN_BY_ALL
    assert await tied.told(platform) == SEEN_BY_ALL
