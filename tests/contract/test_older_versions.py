"""Every route of every older version, good and bad, against golden requests and responses, in both upstream modes.

`CATENARY_WRITE_GOLDENS=1 python -m pytest tests/contract/test_older_versions.py -k goldens` writes them anew.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import orjson
import pytest

from catenary_cli.installation import clients
from catenary_edge import surfaces, versions
from catenary_edge.versions.view import OlderRoute
from factories.installations.serving import SECRET
from factories.walks import goldens, older_data, older_metadata, older_parameter
from factories.walks.conformance import Conformance
from factories.walks.goldens import Recorder
from factories.walks.tabled import Tabled

pytestmark = pytest.mark.slow

TABLE = versions.build()
OLDER = [route for route in TABLE.routes if isinstance(route, OlderRoute)]
WALKS: dict[str, Callable[[Recorder], Awaitable[None]]] = {
    "comments-v1": older_data.walk_comments_v1,
    "reference-v1": older_data.walk_reference_v1,
    "qa-v1": older_data.walk_qa_v1,
    "environment-v1": older_data.walk_environment_v1,
    "environment-v0": older_data.walk_environment_v0,
    "metadata-v0": older_metadata.walk_metadata_v0,
    "parameter-v0": older_parameter.walk_parameter_v0,
}


@pytest.fixture(scope="module")
def conforms() -> Conformance:
    return Conformance(TABLE)


async def _recorded(name: str, dsn: str, folder: Path, tabled: Tabled, *, remote: bool) -> Recorder:
    made = await clients.create(dsn, SECRET, "Contract", admin=True)
    conforms = tabled.conforms
    async with goldens.conforming(dsn, folder, conforms, remote=remote, transport=tabled) as http:
        given = {name: made[name] for name in ("client_id", "client_secret")}
        answer = await http.post("/v1/auth/token", json={"grant_type": "client_credentials", **given})
        http.headers["Authorization"] = f"Bearer {answer.json()['access_token']}"
        call = Recorder(http)
        checked = conforms.checked
        await WALKS[name](call)
        assert conforms.checked - checked > len(call.recorded) // 2, "answers are held against the documents"
    return call


@pytest.mark.parametrize("name", WALKS)
async def test_an_older_version_answers_as_its_goldens_say_in_both_modes(
    name: str, dsn: str, second_dsn: str, tmp_path: Path, conforms: Conformance
) -> None:
    for mode in ("here", "there"):
        (tmp_path / mode).mkdir()
    tables = [Tabled(TABLE, conforms), Tabled(TABLE, conforms)]
    here = await _recorded(name, dsn, tmp_path / "here", tables[0], remote=False)
    goldens.compare(name, here.recorded)
    there = await _recorded(name, second_dsn, tmp_path / "there", tables[1], remote=True)
    assert there.recorded == here.recorded
    lists = {route for route in OLDER if route.has_table and _name(route.template.text) == name}
    for tabled in tables:
        assert {route.template.text for route in lists - tabled.filled} == set()


def test_the_goldens_have_a_good_and_a_bad_answer_of_every_older_route() -> None:
    good, bad = set(), set()
    for name in WALKS:
        for step in orjson.loads((goldens.FOLDER / f"{name}.json").read_bytes()):
            path = step["request"]["path"].replace("<id ", "").replace(">", "")
            match = TABLE.match(step["request"]["method"], path)
            if match is not None:
                (good if step["response"]["status"] < 300 else bad).add(match.route)
    served = {route for route in OLDER if _name(route.template.text) in WALKS}
    assert sorted(f"{route.method} {route.template.text}" for route in served - good) == []
    writes = {route for route in served if route.method != "GET"}
    lists = {route for route in served if isinstance(route, OlderRoute) and route.view.draft.is_list}
    assert sorted(f"{route.method} {route.template.text}" for route in (writes | lists) - bad) == []


def _name(path: str) -> str:
    kind, version = surfaces.kind_of(path)
    return f"{surfaces.name_of(kind)}-{version}"
