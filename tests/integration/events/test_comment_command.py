"""`catenary comment` against a running node."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from subprocess import CompletedProcess

import orjson
import pytest
import uuid_utils

from factories.events.world import Caller, World, world
from factories.installations.installation import catenary


@pytest.fixture
async def here(started_dsn: str, tmp_path: Path) -> AsyncIterator[World]:
    async with world(started_dsn, tmp_path) as made:
        yield made


async def _run(here: World, caller: Caller, *arguments: str) -> CompletedProcess[str]:
    """Run `catenary comment` in a process of its own."""
    variables = {
        "CATENARY_URL": f"{here.url}/v1/",
        "CATENARY_CLIENT_ID": caller.client_id,
        "CATENARY_CLIENT_SECRET": caller.client_secret,
    }
    return await asyncio.to_thread(catenary, "comment", *arguments, timeout=60, **variables)


async def _printed(here: World, caller: Caller, *arguments: str) -> str:
    done = await _run(here, caller, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


async def test_a_comment_is_written_and_listed(here: World) -> None:
    ann, bob = await here.caller("Ann"), await here.caller("Bob")
    project = await here.project(ann, viewer=bob)
    made = (await _printed(here, ann, "add", project, "Too sharp")).split()[1]
    table = (await _printed(here, bob, "list", project)).splitlines()
    assert [line.split()[0] for line in table if "Too sharp" in line] == [made]


@pytest.mark.slow
async def test_comments_are_written_listed_and_resolved(here: World) -> None:
    ann, bob = await here.caller("Ann"), await here.caller("Bob")
    project = await here.project(ann, viewer=bob)
    told = await _printed(here, ann, "add", project, "Too sharp", "--mention", bob.user_id, "--json")
    made = orjson.loads(told)["comment"]
    assert made["mentions"] == [bob.user_id]
    reply = (await _printed(here, ann, "add", project, "Agreed\nand done", "--reply-to", made["comment_id"])).split()[1]
    told = await _printed(here, ann, "resolve", reply)
    assert told == f"The thread of {reply} is resolved\n"
    table = (await _printed(here, bob, "list", project, "--resolved")).splitlines()
    assert [line.split()[0] for line in table if "resolved" in line] == [reply, made["comment_id"]]
    assert "↳ Agreed" in "".join(table)
    opened = orjson.loads(await _printed(here, ann, "resolve", reply, "--reopen", "--json"))["comment"]
    assert opened["resolved"] is False
    none = await _run(here, bob, "list", project, "--resolved")
    assert (none.stdout, none.stderr) == ("", "There are no such comments.\n")


@pytest.mark.slow
async def test_what_is_refused_is_told_in_one_sentence(here: World) -> None:
    ann = await here.caller("Ann")
    project = await here.project(ann)
    unknown = str(uuid_utils.uuid7())
    for arguments, told in (
        (("add", project, "A", "--mention", unknown), "mentions[0] names nobody with a role"),
        (("resolve", unknown), "There is no such comment"),
    ):
        refused = await _run(here, ann, *arguments)
        assert (refused.returncode, refused.stdout) == (1, "")
        assert told in " ".join(refused.stderr.split())
        assert "Traceback" not in refused.stderr
