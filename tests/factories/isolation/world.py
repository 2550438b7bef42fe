"""A running node with two sides: what an outsider has itself, and what is hidden from it; and everybody who may call."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from unittest import mock

import aiohttp
import uuid_utils

from catenary_core.event_log import notifications
from catenary_core.services.evaluations.studies.driver import StudyDriver
from catenary_edge.settings import EdgeSettings
from factories.installations.serving import PUBLIC_URL, serving
from factories.isolation.bodies import RECEIVER, SOURCE, URL
from factories.isolation.operations import BESIDE, FREE, KNOWN_EVENT, KNOWN_USER, NEW, Ids, Operation, Place
from factories.isolation.principals import ROLES, Principals
from factories.services.evaluations import deploy, run_sql

Side = Literal["open", "hidden"]
_DELETED = {
    "asset": "/parameter/v1/assets/{asset}",
    "parameter": "/parameter/v1/parameters/{parameter}",
    "entry": "/parameter/v1/entries/{entry}",
    "parameter_set": "/parameter/v1/parameter_sets/{parameter_set}",
    "linked": "/metadata/v1/tags/{tag}/links/{linked}",
    "comment": "/comments/v2/comments/{comment}",
    "record": "/qa/v2/records/{record}",
    "source": "/reference/v2/sources/{source}",
    "tag": "/metadata/v1/tags/{tag}",
    "team": "/v1/teams/{team}",
    "api_key": "/v1/api_keys/{api_key}",
    "webhook": "/v1/webhooks/{webhook}",
    "worker_token": "/v1/worker_tokens/{worker_token}",
    "plan": "/v1/plans/{plan}",
    "file": "/v1/files/{file}",
    "project_comment": "/v1/comments/{project_comment}",
    "share": "/v1/projects/{project}/shares/{share}",
    "invitation": "/v1/projects/{project}/invitations/{invitation}",
    "variant": "/v1/variants/{variant}",
    "view": "/v1/views/{view}",
    "project": "/v1/projects/{project}",
    "environment_project": "/environment/v2/projects/{environment_project}",
}
CANARY = "Hidden-Canary"
_NUMBERS = itertools.count(1)


@dataclass(slots=True)
class World(Principals):
    """The node, who may call it, and the ids of what there is, by side and kind."""

    things: dict[Side, dict[str, str]] = field(default_factory=lambda: {"open": {}, "hidden": {}})

    async def add_common(self) -> None:
        """Add the rows that everybody may see: types and units."""
        kinds = (
            "region", "country", "source_type", "record_type", "tag_type", "unit_system", "unit_type", "unit",
            "asset_type_group", "asset_type", "asset_sub_type", "parameter_type", "item_type", "parameter_set_category",
            "parameter_set_type",
        )  # fmt: skip
        for kind in kinds:
            made = await self.make(kind, "open")
            for ids in self.things.values():
                ids[kind] = made
        (row,) = await run_sql(self.core.frame.db, "SELECT id FROM events.event ORDER BY number LIMIT 1")
        for ids in self.things.values():
            ids[KNOWN_EVENT] = row["id"]

    async def add_side(self, side: Side) -> None:
        """Add a confidential or an open project with all of its rows."""
        ids = self.things[side]
        kinds = (
            "client", "user", "environment_project", "project", "model", "evaluation", "file", "plan", "batch", "study",
            "variant", "project_comment", "view", "share", "invitation", "notification", "team", "api_key", "webhook", "delivery",
            "worker_token", FREE, "source", "asset", "parameter", "parameter_set", "tag", "linked", "comment", "record",
            "deployed_project",
        )  # fmt: skip
        for kind in kinds:
            # What a row refers to decides who sees the row.
            ids[kind] = ids["environment_project"] if kind == FREE else await self.make(kind, side)
        ids[KNOWN_USER] = ids["user"]
        await self.make("asset", side)

    async def add_deleted(self, side: Side) -> None:
        """Add one more row of each kind and delete it."""
        for kind, path in _DELETED.items():
            made = await self.make(kind, side)
            ids = {**self.things[side], kind: made}
            await self.ok("admin", "DELETE", path.format_map(ids))
            self.things[side][f"deleted {kind}"] = made

    async def add_links(self) -> None:
        """Add the share links of both sides, and those that have ended."""
        hidden, open_ = self.things["hidden"], self.things["open"]
        for name, person, project, fields in (
            ("project link", "owner", hidden["project"], {}),
            ("variant link", "owner", hidden["project"], {"variant_id": hidden["variant"]}),
            ("link of another project", "outsider", open_["project"], {}),
            ("revoked link", "owner", hidden["project"], {}),
            ("expired link", "owner", hidden["project"], {}),
        ):
            route = f"/v1/projects/{project}/shares"
            made = await self.ok(person, "POST", route, {"kind": "link", **fields})
            self.headers[name] = {"X-Share-Token": made["url"].partition("#share=")[2]}
            if name == "revoked link":
                await self.ok(person, "DELETE", f"{route}/{made['share']['share_id']}")
            if name == "expired link":
                past = "UPDATE projects.share SET expires_at = statement_timestamp() WHERE share_id = :id"
                await run_sql(self.core.frame.db, past, id=made["share"]["share_id"])
                await self._marked(made["share"]["share_id"])

    async def _marked(self, share_id: str) -> None:
        """Wait until the platform has marked an expired share."""
        select = "SELECT deleted_at FROM projects.share WHERE share_id = :id"
        async with asyncio.timeout(60):
            while True:
                (row,) = await run_sql(self.core.frame.db, select, id=share_id)
                if row["deleted_at"] is not None:
                    return
                await asyncio.sleep(0.05)

    async def fresh(self, operation: Operation) -> dict[str, Sequence[str]]:
        """Make the rows that a call on the hidden side needs for itself.

        Waits first until no delivery is under way.
        """
        await self.sent()
        place = operation.fresh
        return {} if place is None else {place.name: [await self.make(place.kind, "hidden")]}

    def hidden_ones(self, kind: str) -> list[str]:
        """Return the ids of the hidden side, deleted ones included."""
        found = self.things["hidden"]
        return [found[name] for name in (kind, f"deleted {kind}") if name in found]

    def ids(self, side: Side, given: Mapping[str, Sequence[str]] | None = None) -> Ids:
        """Return the ids of a side, but for the places that `given` names."""

        def chosen(place: Place) -> Sequence[str]:
            if given is not None and place.name in given:
                return given[place.name]
            return [new_id() if place.kind.startswith(NEW) else self.things[side][place.kind]]

        return chosen

    async def make(self, kind: str, side: Side) -> str:
        """Make one more row of a kind and return its id; the first one notes its child rows in `things`."""
        return str(await getattr(self, f"_{kind}")(side))

    def _person(self, side: Side) -> str:
        return "owner" if side == "hidden" else "outsider"

    def _name(self, side: Side) -> str:
        return f"{CANARY if side == 'hidden' else 'Seen'} {next(_NUMBERS)}"

    async def _row(self, principal: str, url: str, body: Any, id_field: str = "id") -> str:
        made = next(iter((await self.ok(principal, "POST", url, body)).values()))
        return str((made[0] if isinstance(made, list) else made)[id_field])

    async def _region(self, side: Side) -> str:
        name = self._name(side)
        return await self._row(
            "admin", "/environment/v2/regions", {"region_code": name, "region_name": name}, "region_id"
        )

    async def _country(self, side: Side) -> str:
        body = {"country_code": self._name(side), "country_name": "New", "region_id": self.things[side]["region"]}
        return await self._row("admin", "/environment/v2/countries", body, "country_id")

    async def _source_type(self, side: Side) -> str:
        return await self._row("admin", "/reference/v2/source_types", {"name": self._name(side)})

    async def _source(self, side: Side) -> str:
        body = {"title": self._name(side), "source_type_id": self.things[side]["source_type"], **self._reference(side)}
        return await self._row(self._person(side), "/reference/v2/sources", body)

    def _reference(self, side: Side) -> dict[str, str]:
        return {"reference_id": self.things[side][FREE], "reference_table": "project", "reference_url": URL}

    async def _record_type(self, side: Side) -> str:
        return await self._row("admin", "/qa/v2/record_types", {"name": self._name(side)})

    async def _tag_type(self, side: Side) -> str:
        return await self._row("admin", "/metadata/v1/tag_types", {"name": self._name(side), "allow_custom": True})

    async def _unit_system(self, side: Side) -> str:
        return await self._row("admin", "/parameter/v1/unit_systems", {"name": self._name(side)})

    async def _unit_type(self, side: Side) -> str:
        return await self._row("admin", "/parameter/v1/unit_types", {"name": self._name(side)})

    async def _unit(self, side: Side) -> str:
        ids = {f"{kind}_id": self.things[side][kind] for kind in ("unit_type", "unit_system")}
        return await self._row("admin", "/parameter/v1/units", {"symbol": self._name(side), **ids})

    async def _asset_type_group(self, side: Side) -> str:
        return await self._row("admin", "/parameter/v1/asset_type_groups", {"name": self._name(side)})

    async def _asset_type(self, side: Side) -> str:
        body = {
            "name": self._name(side),
            "asset_type_group_id": self.things[side]["asset_type_group"],
            "asset_sub_type": True,
        }
        return await self._row("admin", "/parameter/v1/asset_types", body)

    async def _asset_sub_type(self, side: Side) -> str:
        route = f"/parameter/v1/asset_types/{self.things[side]['asset_type']}/asset_sub_types"
        # The first has the name of new assets, which is then that of a sub type as it must be.
        name = self._name(side) if "asset_sub_type" in self.things[side] else "New"
        return await self._row("admin", route, {"name": name})

    async def _parameter_type(self, side: Side) -> str:
        body = {"name": self._name(side), "data_type": "number", "unit_type_id": self.things[side]["unit_type"]}
        return await self._row("admin", "/parameter/v1/parameter_types", body)

    async def _item_type(self, side: Side) -> str:
        ids = {"parameter_type_id": await self._parameter_type(side), "asset_type_id": self.things[side]["asset_type"]}
        return await self._row("admin", "/parameter/v1/item_types", ids)

    async def _parameter_set_category(self, side: Side) -> str:
        return await self._row("admin", "/parameter/v1/parameter_set_categories", {"name": self._name(side)})

    async def _parameter_set_type(self, side: Side) -> str:
        ids = self.things[side]
        body = {
            "name": self._name(side),
            "parameter_set_category_id": ids["parameter_set_category"],
            "item_type_ids": [ids["item_type"]],
        }
        return await self._row("admin", "/parameter/v1/parameter_set_types", body)

    async def _comment(self, side: Side) -> str:
        body = [{**self._reference(side), "content": self._name(side)}]
        return await self._row(self._person(side), "/comments/v2/comments", body)

    async def _record(self, side: Side) -> str:
        body = [{"type_id": self.things[side]["record_type"], **self._reference(side)}]
        return await self._row(self._person(side), "/qa/v2/records", body)

    async def _client(self, side: Side) -> str:
        return await self._row("admin", "/v1/clients", {"name": self._name(side)}, "client_id")

    async def _worker_token(self, side: Side) -> str:
        return await self._row("admin", "/v1/worker_tokens", {"name": self._name(side)}, "worker_token_id")

    async def _user(self, side: Side) -> str:
        return await self._row("admin", "/v1/clients", {"name": self._name(side)}, "user_id")

    async def _environment_project(self, side: Side) -> str:
        body = {"number": self._name(side), "short_title": self._name(side), "confidential": side == "hidden"}
        return await self._row(self._person(side), "/environment/v2/projects", body, "project_id")

    async def _project(self, side: Side) -> str:
        """Make a project that is linked to the side's; all roles and a further user are members of a hidden one."""
        ids, person = self.things[side], self._person(side)
        body = {"name": self._name(side), "environment_project_id": ids["environment_project"]}
        made = await self._row(person, "/v1/projects", body, "project_id")
        members = {ids["user"]: "viewer"}
        if side == "hidden":
            members |= {self.user_ids[role]: role for role in ROLES if role != person}
        for user_id, role in members.items():
            await self.ok(person, "PUT", f"/v1/projects/{made}/members/{user_id}", {"role": role})
        return made

    async def _deployed_project(self, side: Side) -> str:
        """Make a project with a deployed version, whose deployment may end."""
        made = await self._project(side)
        await deploy(self.core.frame.db, self.core.frame.objects, project_id=made)
        return made

    async def _model(self, side: Side) -> str:
        """Make a model, the first with a version that is checked and deployed."""
        frame, ids = self.core.frame, self.things[side]
        if "model" in ids:
            route = f"/v1/projects/{ids['project']}/models"
            return await self._row(self._person(side), route, {"name": self._name(side)}, "model_id")
        _, version = await deploy(frame.db, frame.objects, project_id=ids["project"])
        select = "SELECT model_id FROM models.model_version WHERE model_version_id = :id"
        made = str((await run_sql(frame.db, select, id=version))[0]["model_id"])
        ids.setdefault("model_version", version)
        derived = {"name": "two", "expression": "1 + 1", "description": self._name(side)}
        await self.ok(
            self._person(side), "PUT", f"/v2/projects/{ids['project']}/derived_metrics", {"metrics": [derived]}
        )
        return made

    async def _model_version(self, side: Side) -> str:
        """Make a version that is neither checked, since no worker runs, nor deployed."""
        ids = self.things[side]
        url = f"/v1/projects/{ids['project']}/models/{ids['model']}/versions"
        made = await self.ok(self._person(side), "POST", url, SOURCE)
        return str(made["model_version"]["model_version_id"])

    async def _evaluation(self, side: Side) -> str:
        """Make an evaluation that stays queued, since no worker runs."""
        route = f"/v1/projects/{self.things[side]['project']}/evaluate"
        return await self._row(self._person(side), route, {"parameters": {}, "force": True}, "evaluation_id")

    async def _file(self, side: Side) -> str:
        route = f"/v1/projects/{self.things[side]['project']}/files?name={self._name(side)}.csv"
        return await self._row(self._person(side), route, self._name(side).encode(), "file_id")

    async def _plan(self, side: Side) -> str:
        route = f"/v1/projects/{self.things[side]['project']}/evaluate/plan"
        body = {"kind": "grid", "parameters": {"title": {"values": [self._name(side)]}}}
        return await self._row(self._person(side), route, body, "plan_id")

    async def _batch(self, side: Side) -> str:
        """Make a batch that stays queued."""
        route = f"/v1/projects/{self.things[side]['project']}/evaluate/batch"
        return await self._row(self._person(side), route, {"evaluations": [{"parameters": {"span": 30}}]}, "batch_id")

    async def _study(self, side: Side) -> str:
        """Make a study that stays queued, since nobody drives it."""
        route = f"/v1/projects/{self.things[side]['project']}/studies"
        body = {"kind": "optimization", "objectives": [{"expression": "span"}], "budget": 100, "seed": 1}
        return await self._row(self._person(side), route, body, "study_id")

    async def _variant(self, side: Side) -> str:
        """Make a variant of an evaluation of its own, the first with another beside it."""
        route = f"/v1/projects/{self.things[side]['project']}/variants"
        body = {"name": self._name(side), "note": self._name(side), "evaluation_id": await self._evaluation(side)}
        made = await self._row(self._person(side), route, body, "variant_id")
        if BESIDE not in self.things[side]:
            self.things[side][BESIDE] = made
            return await self._variant(side)
        return made

    async def _project_comment(self, side: Side) -> str:
        """Make a comment on the side's variant that mentions the side's further user."""
        ids = self.things[side]
        body = {"content": self._name(side), "variant_id": ids["variant"], "mentions": [ids["user"]]}
        return await self._row(self._person(side), f"/v1/projects/{ids['project']}/comments", body, "comment_id")

    async def _view(self, side: Side) -> str:
        route = f"/v1/projects/{self.things[side]['project']}/views"
        return await self._row(self._person(side), route, {"name": self._name(side)}, "view_id")

    async def _share(self, side: Side) -> str:
        """Make a link, which gives nobody of this world a role."""
        route = f"/v1/projects/{self.things[side]['project']}/shares"
        return await self._row(self._person(side), route, {"kind": "link"}, "share_id")

    async def _invitation(self, side: Side) -> str:
        """Make an invitation that nobody takes."""
        route = f"/v1/projects/{self.things[side]['project']}/invitations"
        body = {"email": f"{CANARY.lower()}@example.com", "staff_name": self._name(side), "role": "viewer"}
        return await self._row(self._person(side), route, body, "invitation_id")

    async def _notification(self, side: Side) -> str:
        """Make a notification of the side's person, who has others from events."""
        project, user = self.things[side]["project"], self.user_ids[self._person(side)]
        subject = f"/v1/projects/{project}"
        async with self.core.frame.db.transaction() as tx:
            await notifications.notify(tx, "share", [user], subject=subject, project_id=project)
        newest = "SELECT notification_id AS id FROM notifications.notification WHERE user_id = :id AND event_id IS NULL"
        return str((await run_sql(self.core.frame.db, f"{newest} ORDER BY created_at DESC LIMIT 1", id=user))[0]["id"])

    async def _team(self, side: Side) -> str:
        """Make a team of its maker, the side's further user and, when hidden, the viewer."""
        person = self._person(side)
        made = await self._row(person, "/v1/teams", {"name": self._name(side)}, "team_id")
        members = [self.things[side]["user"], *([self.user_ids["viewer"]] if side == "hidden" else [])]
        for user_id in members:
            await self.ok(person, "PUT", f"/v1/teams/{made}/members/{user_id}")
        return made

    async def _api_key(self, side: Side) -> str:
        body = {"name": self._name(side), "scopes": ["platform:read"]}
        return await self._row(self._person(side), "/v1/api_keys", body, "api_key_id")

    async def _webhook(self, side: Side) -> str:
        """Make a webhook for events that no call here writes."""
        body = {"url": RECEIVER, "events": ["model.input.changed"]}
        return await self._row(self._person(side), "/v1/webhooks", body, "webhook_id")

    async def _delivery(self, side: Side) -> str:
        """Make the failed delivery of a test event."""
        webhook = f"/v1/webhooks/{self.things[side]['webhook']}"
        made = await self._row(self._person(side), f"{webhook}/test", {}, "delivery_id")
        async with asyncio.timeout(60):
            while True:
                (first, *_) = (await self.ok(self._person(side), "GET", f"{webhook}/deliveries"))["deliveries"]
                if (first["delivery_id"], first["status"]) == (made, "failed"):
                    return made
                await asyncio.sleep(0.05)

    async def _asset(self, side: Side) -> str:
        """Make an asset below another one."""
        ids = self.things[side]
        body = {"project_id": ids["environment_project"], "asset_sub_type_id": ids["asset_sub_type"]}
        if "asset" in ids:
            body["parent_id"] = ids["asset"]
        return await self._row(self._person(side), "/parameter/v1/assets", {**body, "name": self._name(side)})

    async def _answered(self, side: Side) -> dict[str, str]:
        """Make a parameter with an entry and return their ids."""
        ids = self.things[side]
        first = "entry" not in ids
        values = [{"value": 24.5, "unit_id": ids["unit"]}]
        item = {
            "project_id": ids["environment_project"],
            "parameter_type_id": ids["parameter_type"],
            "parent_ids": [ids["asset"] if first else await self._asset(side)],
            "entries": [{"source_id": ids["source"], "values": values, "comment": "Seen"}],
        }
        made = (await self.ok(self._person(side), "POST", "/parameter/v1/parameters", item))["parameters"][0]
        entry = made["selected_entry"]
        answered = {"parameter": made["id"], "entry": entry["entry_id"], "revision": entry["revision_id"]}
        if first:
            ids.update(answered)
        return answered

    async def _parameter(self, side: Side) -> str:
        return (await self._answered(side))["parameter"]

    async def _entry(self, side: Side) -> str:
        return (await self._answered(side))["entry"]

    async def _revision(self, side: Side) -> str:
        return (await self._answered(side))["revision"]

    async def _parameter_set(self, side: Side) -> str:
        ids = self.things[side]
        body = {
            "name": self._name(side),
            "parameter_set_type_id": ids["parameter_set_type"],
            "project_id": ids["environment_project"],
            "asset_id": ids["asset"],
        }
        return await self._row(self._person(side), "/parameter/v1/parameter_sets", body)

    async def _tag(self, side: Side) -> str:
        ids = self.things[side]
        body = {"name": self._name(side), "tag_type_id": ids["tag_type"], "tag_scope": ids["environment_project"]}
        return await self._row(self._person(side), "/metadata/v1/tags", body)

    async def _linked(self, side: Side) -> str:
        """Return the target of a tag link: the side's parameter first, that of the other side second, then any row."""
        ids = self.things[side]
        marked = [new_id()]
        if "linked" not in ids:
            marked = [ids["parameter"], *(other["parameter"] for other in self.things.values() if "parameter" in other)]
        links = [
            {"tag_id": ids["tag"], "reference_id": id_, "reference_table": "parameter", "reference_url": URL}
            for id_ in dict.fromkeys(marked)
        ]
        await self.ok(self._person(side), "PUT", "/metadata/v1/tag_links", {"tag_links": links})
        return marked[0]


def new_id() -> str:
    """Return an id that names nothing."""
    return str(uuid_utils.uuid7())


@asynccontextmanager
async def running_world(dsn: str, folder: Path, *, remote: bool = False) -> AsyncIterator[World]:
    """Yield a node without workers, and its people; nothing is there yet. `remote`: the edge reaches the core by gRPC.

    Nobody drives studies, so that rows change by calls alone.
    """
    unlimited = {"requests_per_hour": 10**9, "evaluations_per_hour": 10**9, "bulk_operations": 10**6}
    edge = EdgeSettings(dev=True, public_url=PUBLIC_URL)
    with mock.patch.object(StudyDriver, "start"):
        async with (
            serving(
                dsn, folder, remote=remote, edge=edge, public_url=PUBLIC_URL, webhook_allow_private=True, **unlimited
            ) as node,
            aiohttp.ClientSession(node.url, cookie_jar=aiohttp.DummyCookieJar()) as http,
        ):
            world = World(node.core, http)
            await world.add_people()
            yield world
