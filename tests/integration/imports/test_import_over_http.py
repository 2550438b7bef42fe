"""Importing files over HTTP: each kind as CSV and JSON, its faults, and all or nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest

from catenary_cli.installation import clients
from catenary_core.services.parameter.assets import rules
from catenary_core.services.parameter.imports import files, writing
from factories.installations.installation import ANSWER_SECONDS
from factories.installations.serving import SECRET, Serving, serving
from factories.services.calls import events_of

ASSETS = "project,parent,name,asset_type\nP-1,,Tower,Building\nP-1,Tower,Storey 1,Building\n"
PARAMETERS = (
    "project,parents,parameter_type,value,source\nP-1,Tower,Count,4,Report\nP-1,Tower/Storey 1,Count,2,Report\n"
)
ENTRIES = "project,parents,parameter_type,value,source\nP-1,Tower,Count,5,Report\n"
CSV, JSON = "text/csv", "application/json"


@dataclass
class Importing:
    """A node with a project, a type of each kind and a source; `http` calls as their maker, `other` as another client."""

    node: Serving
    http: httpx.AsyncClient
    other: httpx.AsyncClient
    project_id: str

    async def sent(
        self, content: str | bytes, kind: str = "", media_type: str = CSV, *, dry_run: bool = False, **given: Any
    ) -> httpx.Response:
        """Import a file."""
        query = {**({"kind": kind} if kind else {}), **({"dry_run": "true"} if dry_run else {})}
        headers = {"Content-Type": media_type, **given.pop("headers", {})}
        http = given.pop("http", self.http)
        return await http.post("/v1/import", params=query, content=content, headers=headers)

    async def counted(
        self, content: str | bytes, kind: str = "", media_type: str = CSV, **given: Any
    ) -> dict[str, Any]:
        """Import a file; return added, revised and kept by kind."""
        answer = await self.sent(content, kind, media_type, **given)
        assert answer.status_code == 200, answer.text
        counts = answer.json()["data"]["counts"]
        return {count["kind"]: (count["added"], count["revised"], count["kept"]) for count in counts}

    async def refused(self, status: int, *given: Any, **named: Any) -> dict[str, Any]:
        """Return the error of a refused file, after which nothing has changed."""
        before = await self.everything()
        answer = await self.sent(*given, **named)
        assert answer.status_code == status, answer.text
        assert await self.everything() == before
        return dict(answer.json()["error"])

    async def faults(self, *given: Any, **named: Any) -> list[tuple[str, str]]:
        """Return field and sentence of each fault of a refused file."""
        error = await self.refused(400, *given, **named)
        assert error["code"] == "VALIDATION_ERROR"
        return [(fault["parameter"], fault["message"]) for fault in error["details"]["violations"]]

    async def values(self) -> list[int]:
        """Return the values of all parameters of the project."""
        found = await self.http.get("/parameter/v1/parameters", params={"project_id": self.project_id})
        chosen = [row["selected_entry"] for row in found.json()["parameters"]]
        return sorted(entry["values"][0]["value"] for entry in chosen if entry)

    async def everything(self) -> tuple[Any, ...]:
        """Return the project's assets and values, with the number of events."""
        assets = await self.http.get("/parameter/v1/assets", params={"project_id": self.project_id})
        names = sorted(row["name"] for row in assets.json()["assets"])
        return names, await self.values(), len(await events_of(self.node.core.frame.db))

    async def audited(self, method: str) -> list[str]:
        """Return the request ids of the calls of a method in the audit trail."""
        rows = (await self.http.get("/v1/audit", params={"limit": 100})).json()["data"]["entries"]
        return [row["request_id"] for row in rows if row["action"].endswith(f"/{method}")]


async def _made(http: httpx.AsyncClient, path: str, **fields: Any) -> Any:
    answer = await http.post(path, json=fields)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def _signed_in(http: httpx.AsyncClient, dsn: str, name: str, *, admin: bool) -> httpx.AsyncClient:
    secret = await clients.create(dsn, SECRET, name, admin=admin)
    grant = await http.post("/v1/auth/token", json={"grant_type": "client_credentials", **secret})
    http.headers["Authorization"] = f"Bearer {grant.json()['access_token']}"
    return http


@pytest.fixture(params=[False, pytest.param(True, marks=pytest.mark.slow)], ids=["one process", "over gRPC"])
async def importing(started_dsn: str, tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Importing]:
    async with (
        serving(started_dsn, tmp_path, remote=request.param) as node,
        httpx.AsyncClient(base_url=node.url, timeout=ANSWER_SECONDS) as http,
        httpx.AsyncClient(base_url=node.url, timeout=ANSWER_SECONDS) as other,
    ):
        await _signed_in(http, started_dsn, "maker", admin=True)
        await _signed_in(other, started_dsn, "other", admin=False)
        project = (await _made(http, "/environment/v2/projects", number="P-1"))["project"]["project_id"]
        kinds = (await http.get("/reference/v2/source_types")).json()["source_types"]
        fields = {"source_type_id": kinds[0]["id"], "title": "Report", "reference": "R-1", "date_year": "2028"}
        await _made(http, "/reference/v2/sources", **fields)
        types = "/parameter/v1"
        group = (await _made(http, f"{types}/asset_type_groups", name="Built"))["asset_type_groups"][0]["id"]
        await _made(http, f"{types}/asset_types", name="Building", asset_type_group_id=group)
        await _made(http, f"{types}/parameter_types", name="Count", data_type="integer")
        yield Importing(node, http, other, project)


async def test_each_kind_is_imported_from_csv_and_json_over_http(importing: Importing) -> None:
    assert await importing.counted(ASSETS, "assets", dry_run=True) == {"assets": (2, 0, 0)}
    assert (await importing.everything())[:2] == ([], []), "a dry run writes nothing"
    assert await importing.counted(ASSETS, "assets") == {"assets": (2, 0, 0)}
    assert await importing.counted(PARAMETERS, "parameters") == {"parameters": (2, 0, 0)}
    assert await importing.values() == [2, 4]
    assert await importing.counted(ENTRIES, "entries") == {"entries": (0, 1, 0)}
    assert await importing.values() == [2, 5]
    assert await importing.counted(ASSETS, "assets") == {"assets": (0, 0, 2)}, "the same again changes nothing"
    row = {"project": "P-1", "parents": ["Tower/Storey 1"], "parameter_type": "Count", "source": "Report"}
    lists = {
        "entries": [{**row, "value": 7}],
        "assets": [{"project": "P-1", "name": "Annex", "asset_type": "Building"}],
        "parameters": [{**row, "parents": ["Annex"], "value": 1}],
    }
    assert await importing.counted(orjson.dumps(lists), media_type=JSON) == {
        "assets": (1, 0, 0),
        "parameters": (1, 0, 0),
        "entries": (0, 1, 0),
    }
    assert await importing.values() == [1, 5, 7]
    assert await importing.counted(orjson.dumps(lists["entries"]), "entries", JSON) == {"entries": (0, 0, 1)}
    form = {"file": ("assets.csv", ASSETS.encode())}
    answer = await importing.http.post("/v1/import?kind=assets", files=form)
    assert answer.json()["data"]["counts"] == [{"kind": "assets", "added": 0, "revised": 0, "kept": 2}]
    made = await importing.audited("CreateAssets")
    assert len(made) == 2
    assert set(made) <= set(await importing.audited("ImportFile")), "the changes have the request id of the import"


async def test_a_file_with_faults_is_refused_by_line_and_field_and_whole(importing: Importing) -> None:
    wrong = f"{ASSETS}P-1,Tower,Storey 2,Bulding\nElsewhere,,Annex,Building\n"
    assert await importing.faults(wrong, "assets") == [
        ("asset_type", "Line 4: There is no asset type Bulding that you may see; did you mean Building?"),
        ("project", "Line 5: There is no project Elsewhere that you may see."),
    ]
    item = {"project": "P-1", "asset_type": "Building", "name": "Tower"}
    text = orjson.dumps([item, {**item, "name": "Annex", "parent": "None"}], option=orjson.OPT_INDENT_2)
    why = "Line 7: None names no asset of the project; a row that makes it must come before this one."
    assert await importing.faults(text, "assets", JSON) == [("assets[1].parent", why)]
    assert len(await importing.faults("project,name,asset_type\n" + "Elsewhere,A,B\n" * 200, "assets")) == 100
    assert (await importing.faults("name", "assets"))[0][0] == "file"
    assert await importing.faults(ASSETS) == [("kind", "Give kind: the rows may be assets, parameters or entries.")]
    assert (await importing.faults(ASSETS, "walls"))[0][0] == "kind"
    await importing.refused(415, ASSETS, "assets", "text/plain")
    await importing.refused(415, ASSETS, "assets", "application/xml")


async def test_who_may_not_write_imports_nothing(importing: Importing) -> None:
    """The caller's own rights and scopes hold, of a project that is linked and of a key."""
    assert await importing.counted(ASSETS, "assets", http=importing.other, dry_run=True) == {"assets": (2, 0, 0)}
    await _made(importing.http, "/v1/projects", name="Linked", environment_project_id=importing.project_id)
    error = await importing.refused(403, ASSETS, "assets", http=importing.other)
    (fault,) = error["details"]["violations"]
    assert fault["message"].startswith("Line 2: The environment project is linked to projects of the platform")
    wrong = f"{ASSETS}Elsewhere,,Annex,Building\n"
    assert len(await importing.faults(wrong, "assets", http=importing.other)) == 2, "faults of the file come first"
    asked = {"name": "key", "scopes": ["platform:write", "environment:read", "parameter:read"]}
    key = (await _made(importing.http, "/v1/api_keys", **asked))["data"]["key"]
    async with httpx.AsyncClient(
        base_url=importing.node.url, headers={"X-API-Key": key}, timeout=ANSWER_SECONDS
    ) as http:
        error = await importing.refused(403, ASSETS, "assets", http=http)
    assert error["message"] == "The credential lacks the scope parameter:write."


async def test_a_repeated_key_imports_once(importing: Importing) -> None:
    key = {"Idempotency-Key": "one"}
    for _ in range(2):
        assert await importing.counted(ASSETS, "assets", headers=key) == {"assets": (2, 0, 0)}
    assert (await importing.sent(ENTRIES, "entries", headers=key)).status_code == 422
    await importing.counted(ASSETS, "assets", dry_run=True, headers={"Idempotency-Key": "two"})
    assert len(await importing.audited("ImportFile")) == 1, "a dry run is no change"


@pytest.mark.slow
async def test_a_fault_in_the_last_batch_leaves_nothing(importing: Importing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "BATCH", 1)
    wrong = f"{ASSETS}P-1,Nowhere,Storey 2,Building\n"
    await importing.faults(wrong, "assets")
    await importing.faults(wrong, "assets", headers={"Idempotency-Key": "one"})
    lists = {"assets": [{"project": "P-1", "name": "Annex", "asset_type": "Building"}], "entries": [{"value": 1}]}
    await importing.faults(orjson.dumps(lists), media_type=JSON)


@pytest.mark.slow
async def test_a_failure_of_a_service_leaves_nothing_and_blames_no_row(
    importing: Importing, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> Any:
        raise RuntimeError("a bug")

    monkeypatch.setattr(rules, "new_asset", broken)
    error = await importing.refused(500, ASSETS, "assets")
    assert error["code"] == "INTERNAL_ERROR"


@pytest.mark.slow
async def test_a_file_over_the_limit_is_refused(importing: Importing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_BYTES", 20)
    await importing.refused(413, ASSETS, "assets")
    monkeypatch.undo()
    await importing.refused(413, b"x" * (64 * 2**20 + 1), "assets")
