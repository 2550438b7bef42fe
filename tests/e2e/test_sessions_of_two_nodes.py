"""Live sessions of an installation with two nodes and one worker, which waits at the socket of one of them."""

from __future__ import annotations

import json
from pathlib import Path

import aiohttp
import pytest

from factories.installations.installation import ANSWER_SECONDS, UNLIMITED, Installation


@pytest.mark.slow
async def test_a_session_of_either_node_has_the_one_worker(data_root: Path) -> None:
    folder = data_root / "sessions-of-two-nodes"
    installation = Installation(folder, ["--nodes", "2", "--workers", "1"], **UNLIMITED)
    try:
        demo = installation.wait()
        secret = {"client_id": demo["client_id"], "client_secret": demo["client_secret"]}
        timeout = aiohttp.ClientTimeout(total=ANSWER_SECONDS)
        async with aiohttp.ClientSession(timeout=timeout) as http:
            granted = {"grant_type": "client_credentials", **secret}
            async with http.post(f"{demo['base_url']}auth/token", json=granted) as answer:
                token = (await answer.json())["access_token"]
            url = demo["base_url"].removesuffix("v1/") + "ws/explore"
            for number in range(12):  # of which each node gets some: the kernel chooses
                # A connection of its own, which may lead to the other node.
                async with (
                    aiohttp.ClientSession(headers={"Authorization": f"Bearer {token}"}) as caller,
                    caller.ws_connect(url, params={"project_id": demo["project_id"]}) as ws,
                ):
                    assert "session" in json.loads(await ws.receive_str(timeout=ANSWER_SECONDS))
                    await ws.send_str(json.dumps({"id": number, "parameters": {}}))
                    told = json.loads(await ws.receive_str(timeout=ANSWER_SECONDS))
                    assert (told["id"], told["evaluation"]["status"]) == (number, "completed")
    finally:
        installation.stop()
