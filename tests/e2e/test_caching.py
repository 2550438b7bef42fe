"""Kept answers are never older than the caller's last write, and never shown to those who lost the right to see them.

A state machine of two people and two edges over one database: each answer is what a model says, and a 304 comes exactly while
nothing of the answer has changed. With any one guard off, the attack against which it stands is seen by the same model.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from catenary_core import bootstrap
from catenary_core.call import preconditions
from catenary_edge.http import conditions
from catenary_edge.response_cache.store import ResponseStore, Versions
from factories.checks import running_clock
from factories.installations.installation import ANSWER_SECONDS
from factories.installations.two_edges import Person, TwoEdges, two_edges

pytestmark = pytest.mark.slow

EDGES = st.sampled_from((0, 1))
PEOPLE = st.sampled_from(("admin", "reader"))
ROLES = st.sampled_from((None, "viewer", "editor"))
SEEN = st.sampled_from(("project", "asset", "assets", "confidential", "confidentials"))
WRITTEN = st.sampled_from(("project", "asset", "confidential"))
CONDITIONS = st.sampled_from(("none", "current", "stale"))
CACHE_CONTROL = st.sampled_from(("", "", "", "no-cache", "no-store"))


class World:
    """The people of one test, and an asset type."""

    def __init__(self, edges: TwoEdges) -> None:
        self.failed_checks = 0
        self.people = {"admin": edges.person("admin", admin=True), "reader": edges.person("reader")}
        http = self.people["admin"].edges[0]
        group = _made(http, "/parameter/v1/asset_type_groups", "asset_type_groups", {"name": "Buildings"})["id"]
        given = {"name": "Slab", "asset_type_group_id": group, "asset_sub_type": False}
        self.asset_type = _made(http, "/parameter/v1/asset_types", "asset_types", given)["id"]


def _made(http: httpx.Client, path: str, key: str, given: dict[str, Any]) -> Any:
    answer = http.post(path, json=given)
    assert answer.status_code == 201, answer.text
    body = answer.json()
    found = body.get("data", body)
    return found[key][0] if isinstance(found.get(key), list) else found[key]


def _noted(check: Callable[..., None]) -> Callable[..., None]:
    """Count each failed check: an attack must fail at one, and at nothing else."""

    @wraps(check)
    def noting(self: Caching, *arguments: Any) -> None:
        try:
            check(self, *arguments)
        except AssertionError:
            self.world.failed_checks += 1
            raise

    return noting


class Caching(RuleBasedStateMachine):
    """A project of the environment service (`confidential`), an asset of it, and a linked platform project (`project`).

    `version` counts the writes of each; what an answer says is told by versions and the reader's role, `content`.
    """

    world: World

    @initialize()
    def begin(self) -> None:
        http = self.world.people["admin"].edges[0]
        number = uuid.uuid4().hex
        environment = _made(http, "/environment/v2/projects", "project", {"project_number": number})["project_id"]
        given = {"name": "Bridge", "environment_project_id": environment}
        project = _made(http, "/v1/projects", "project", given)["project_id"]
        given = {"name": "Deck", "project_id": environment, "asset_type_id": self.world.asset_type}
        asset = _made(http, "/parameter/v1/assets", "assets", given)["id"]
        self.project = project
        self.paths = {
            "project": f"/v1/projects/{project}",
            "asset": f"/parameter/v1/assets/{asset}",
            "assets": f"/parameter/v1/assets?project_id={environment}",
            "confidential": f"/environment/v2/projects/{environment}",
            "confidentials": f"/environment/v2/projects?project_id={environment}",
        }
        self.names = {"project": "Bridge", "asset": "Deck", "confidential": None}
        self.fields = {"project": "name", "asset": "name", "confidential": "short_title"}
        self.version = dict.fromkeys(self.names, 0)
        self.secret = False
        self.role: str | None = None
        self.tags: dict[tuple[str, str], list[tuple[str, Any]]] = {}
        self.count = 0

    def person(self, name: str) -> Person:
        return self.world.people[name]

    def sees(self, name: str, what: str) -> bool:
        """Return True if a person sees a thing; in a list: anything."""
        if name == "admin":
            return True
        return self.role is not None or (what != "project" and not self.secret)

    def content(self, name: str, what: str) -> Any:
        """Return the values that the answer depends on."""
        thing = {"assets": "asset", "confidentials": "confidential"}.get(what, what)
        shown = self.version[thing] if self.sees(name, what) else None
        return (shown, self.role if what == "project" and name == "reader" else None)

    @_noted
    def check_write(self, what: str, answer: httpx.Response, expected: int) -> None:
        """Check the status of a write."""
        assert answer.status_code == expected, f"{what}: {answer.status_code} instead of {expected}: {answer.text}"

    @_noted
    def check_read(self, name: str, what: str, answer: httpx.Response, sent: Any = None) -> None:
        """Check an answer against the model; `sent` has the contents of the tags that were sent."""
        is_list = what in ("assets", "confidentials")
        if not is_list and not self.sees(name, what):
            assert answer.status_code == 404, f"{what} was shown: {answer.status_code} {answer.text}"
            return
        content = self.content(name, what)
        assert "ETag" in answer.headers
        if answer.status_code == 304:
            assert sent is not None
            assert content in sent, f"304 for {what}, which has changed"
            return
        assert answer.status_code == 200, answer.text
        assert sent is None or content not in sent, f"200 for {what}, which is as the caller knows it"
        body = answer.json()
        thing = {"assets": "asset", "confidentials": "confidential"}.get(what, what)
        key = {"assets": "assets", "confidentials": "projects", "confidential": "project"}.get(what, what)
        found = body.get("data", body)[key]
        if is_list:
            assert len(found) == int(self.sees(name, what)), f"{what} shows {len(found)}"
            found = found[0] if found else None
        if found is not None:
            assert found[self.fields[thing]] == self.names[thing], f"{what} is old"
        if what == "project":
            assert found["role"] == ("owner" if name == "admin" else self.role)
        self.tags.setdefault((name, what), []).append((answer.headers["ETag"], content))

    @rule(name=PEOPLE, edge=EDGES, what=SEEN, conditional=st.booleans(), control=CACHE_CONTROL)
    def read(self, name: str, edge: int, what: str, conditional: bool, control: str) -> None:
        known = self.tags.get((name, what), []) if conditional else []
        headers = {"Cache-Control": control} if control else {}
        if known:
            headers["If-None-Match"] = ", ".join(tag for tag, _ in known[-3:])
        answer = self.person(name).edges[edge].get(self.paths[what], headers=headers)
        self.check_read(name, what, answer, [content for _, content in known[-3:]] if known else None)

    @rule(name=PEOPLE, edge=EDGES, other=EDGES, what=WRITTEN, condition=CONDITIONS)
    def write(self, name: str, edge: int, other: int, what: str, condition: str) -> None:
        """Write, and read at once at the one or the other edge."""
        new, headers = f"name {self.count}", {}
        self.count += 1
        known = self.tags.get((name, what), [])
        now = [tag for tag, content in known if content == self.content(name, what)]
        old = [tag for tag, content in known if content != self.content(name, what)]
        if condition == "current" and now:
            headers["If-Match"] = now[-1]
        elif condition == "stale":
            headers["If-Match"] = old[-1] if old else f'"{"0" * 32}"'
        answer = self.person(name).edges[edge].patch(self.paths[what], json={self.fields[what]: new}, headers=headers)
        if not self.sees(name, what):
            expected = 404
        elif name == "reader" and self.role != "editor":
            expected = 403
        else:
            expected = 412 if condition == "stale" else 200
        self.check_write(what, answer, expected)
        if expected == 200:
            self.version[what] += 1
            self.names[what] = new
        self.check_read(name, what, self.person(name).edges[other].get(self.paths[what]))

    @rule(edge=EDGES, other=EDGES, role=ROLES, what=SEEN)
    def change_role(self, edge: int, other: int, role: str | None, what: str) -> None:
        """Give the reader another role or none; the reader reads at once."""
        http, reader = self.person("admin").edges[edge], self.person("reader")
        path = f"/v1/projects/{self.project}/members/{reader.user_id}"
        answer = http.put(path, json={"role": role}) if role is not None else http.delete(path)
        assert answer.status_code == (404 if role is None and self.role is None else 200), answer.text
        self.role = role
        self.check_read("reader", what, reader.edges[other].get(self.paths[what]))

    @rule(edge=EDGES, other=EDGES, what=SEEN)
    def flip(self, edge: int, other: int, what: str) -> None:
        """Make the environment project confidential, or open again; the reader reads at once."""
        self.secret = not self.secret
        answer = self.person("admin").edges[edge].patch(self.paths["confidential"], json={"confidential": self.secret})
        assert answer.status_code == 200, answer.text
        self.version["confidential"] += 1
        reader = self.person("reader")
        self.check_read("reader", what, reader.edges[other].get(self.paths[what]))

    @rule(name=PEOPLE, edge=EDGES, what=st.sampled_from(("asset", "assets")))
    def write_among_readers(self, name: str, edge: int, what: str) -> None:
        """While others read the same at both edges, a read after a completed write is never of before it."""
        stop, http = threading.Event(), self.person("admin").edges[edge]
        token = {"Authorization": http.headers["Authorization"]}
        urls = [str(one.base_url.join(self.paths[what])) for one in self.person("admin").edges]

        def read_on(url: str) -> None:
            with httpx.Client(headers=token, timeout=ANSWER_SECONDS) as reader:
                while not stop.is_set():
                    reader.get(url)

        readers = [threading.Thread(target=read_on, args=(url,)) for url in urls]
        for reader in readers:
            reader.start()
        try:
            for _ in range(4):
                new = f"name {self.count}"
                self.count += 1
                assert http.patch(self.paths["asset"], json={"name": new}).status_code == 200
                self.version["asset"] += 1
                self.names["asset"] = new
                for other in (0, 1):
                    self.check_read(name, what, self.person(name).edges[other].get(self.paths[what]))
        finally:
            stop.set()
            for reader in readers:
                reader.join()


def _run(world: World, examples: int) -> None:
    run_state_machine_as_test(
        type("CachingOfThisTest", (Caching,), {"world": world}),
        settings=settings(
            max_examples=examples,
            stateful_step_count=25,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


@pytest.fixture
def edges(dsn: str, tmp_path: Path) -> Iterator[TwoEdges]:
    with two_edges(dsn, tmp_path) as running:
        yield running


@pytest.mark.parametrize("examples", [3, 12])
def test_no_answer_is_older_than_a_completed_write_or_shown_to_who_may_not_see_it(
    edges: TwoEdges, examples: int
) -> None:
    _run(World(edges), examples)


def _versions_stand_still(monkeypatch: pytest.MonkeyPatch, dsn: str) -> None:
    async def always(self: Versions, surface: str, metadata: Any) -> str:
        return "1"

    monkeypatch.setattr(Versions, "current", always)


def _version_of_the_last_question(monkeypatch: pytest.MonkeyPatch, dsn: str) -> None:
    """Ask for versions once a minute, as another design would."""
    current = Versions.current
    known: dict[tuple[int, str], tuple[float, str | None]] = {}

    async def once_a_minute(self: Versions, surface: str, metadata: Any) -> str | None:
        asked, version = known.get((id(self), surface), (-60.0, None))
        if running_clock.seconds() - asked > 60.0:
            version = await current(self, surface, metadata)
            known[id(self), surface] = running_clock.seconds(), version
        return version

    monkeypatch.setattr(Versions, "current", once_a_minute)


def _roles_are_not_counted(monkeypatch: pytest.MonkeyPatch, dsn: str) -> None:
    for table in ("projects.member", "projects.share"):  # a member's shares end by a statement of their own
        monkeypatch.setitem(bootstrap.UNWATCHED, table, "a guard is off")


def _environment_is_not_counted(monkeypatch: pytest.MonkeyPatch, dsn: str) -> None:
    monkeypatch.setitem(bootstrap.UNWATCHED, "environment.project", "a guard is off")


def _everyone_is_the_same_caller(monkeypatch: pytest.MonkeyPatch, dsn: str) -> None:
    find, keep = ResponseStore.find, ResponseStore.store
    monkeypatch.setattr(ResponseStore, "find", lambda self, key, version: find(self, key[1:], version))
    monkeypatch.setattr(
        ResponseStore, "store", lambda self, key, version, content: keep(self, key[1:], version, content)
    )


def _if_match_is_not_compared(monkeypatch: pytest.MonkeyPatch, dsn: str) -> None:
    def check(call: Any, message: Any) -> None:
        call.condition = None

    monkeypatch.setattr(preconditions, "check", check)


def _every_tag_is_known(monkeypatch: pytest.MonkeyPatch, dsn: str) -> None:
    monkeypatch.setattr(conditions, "is_known", lambda headers, tag: "If-None-Match" in headers)


def _is_written_at_the_other_edge(machine: Caching) -> None:
    machine.read(name="admin", edge=0, what="asset", conditional=False, control="")
    machine.write(name="admin", edge=1, other=0, what="asset", condition="none")


def _loses_the_role(machine: Caching) -> None:
    machine.change_role(edge=1, other=0, role="viewer", what="project")
    machine.change_role(edge=1, other=0, role=None, what="project")


def _becomes_confidential(machine: Caching) -> None:
    machine.read(name="reader", edge=0, what="confidentials", conditional=False, control="")
    machine.flip(edge=1, other=0, what="confidentials")


def _is_read_by_another_before(machine: Caching) -> None:
    machine.read(name="admin", edge=0, what="project", conditional=False, control="")
    machine.read(name="reader", edge=0, what="project", conditional=False, control="")


def _is_written_under_a_stale_tag(machine: Caching) -> None:
    machine.write(name="admin", edge=0, other=0, what="asset", condition="stale")


def _is_read_under_the_tag_of_an_earlier_role(machine: Caching) -> None:
    machine.change_role(edge=0, other=0, role="viewer", what="project")
    machine.change_role(edge=0, other=0, role="editor", what="asset")
    machine.read(name="reader", edge=0, what="project", conditional=True, control="")


ATTACKS = [
    (_versions_stand_still, _is_written_at_the_other_edge),
    (_version_of_the_last_question, _is_written_at_the_other_edge),
    (_roles_are_not_counted, _loses_the_role),
    (_environment_is_not_counted, _becomes_confidential),
    (_everyone_is_the_same_caller, _is_read_by_another_before),
    (_if_match_is_not_compared, _is_written_under_a_stale_tag),
    (_every_tag_is_known, _is_read_under_the_tag_of_an_earlier_role),
]


def _attacked(world: World, attack: Callable[[Caching], None]) -> None:
    """Run the steps of one attack in a new project, checked by the state machine's model."""
    machine = type("CachingOfThisTest", (Caching,), {"world": world})()
    machine.begin()
    attack(machine)


@pytest.mark.parametrize(("guard_off", "attack"), ATTACKS)
def test_with_a_guard_off_its_attack_is_seen_by_the_state_machine(
    dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guard_off: Any, attack: Any
) -> None:
    guard_off(monkeypatch, dsn)
    with two_edges(dsn, tmp_path) as running:
        world = World(running)
        with pytest.raises(AssertionError):
            _attacked(world, attack)
        assert world.failed_checks == 1, "a check of the model failed, nothing else"


def test_with_all_guards_on_no_attack_succeeds(edges: TwoEdges) -> None:
    world = World(edges)
    for _, attack in ATTACKS:
        _attacked(world, attack)
    assert not world.failed_checks


def test_a_revoked_token_reads_nothing_that_is_kept_after_5_seconds(edges: TwoEdges) -> None:
    world = World(edges)
    reader = world.people["reader"]
    path = "/parameter/v1/asset_types"
    for http in reader.edges:
        assert http.get(path).status_code == 200
        assert http.get(path).status_code == 200
    given = {"token": reader.token, "client_id": reader.client_id, "client_secret": reader.client_secret}
    url = str(reader.edges[0].base_url.join("/v1/auth/revoke"))
    assert httpx.post(url, json=given, timeout=ANSWER_SECONDS).status_code == 200
    revoked = running_clock.seconds()
    while running_clock.seconds() - revoked < 5.0:
        answers = {http.get(path).status_code for http in reader.edges}
        if answers == {401}:
            break
        time.sleep(0.1)
    for http in reader.edges:
        assert http.get(path).status_code == 401


def test_of_50_parallel_writers_who_know_the_same_version_one_wins(edges: TwoEdges) -> None:
    world = World(edges)
    admin = world.people["admin"]
    path = f"/parameter/v1/asset_types/{world.asset_type}"
    project = _made(admin.edges[0], "/v1/projects", "project", {"name": "Bridge"})["project_id"]
    platform = f"/v1/projects/{project}"
    type_tag = admin.edges[0].patch(path, json={"name": "Slab"}).headers["ETag"]
    for target, tag in ((path, type_tag), (platform, admin.edges[0].get(platform).headers["ETag"])):
        found: list[int] = []

        def write(number: int, target: str = target, tag: str = tag, found: list[int] = found) -> None:
            answer = admin.edges[number % 2].patch(target, json={"name": f"name {number}"}, headers={"If-Match": tag})
            found.append(answer.status_code)

        writers = [threading.Thread(target=write, args=(number,)) for number in range(50)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        assert sorted(found) == [200] + [412] * 49
