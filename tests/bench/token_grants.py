"""Token grants against the bare rate of ES256 signing, side by side in one process.

Run it as `python tests/bench/token_grants.py` with the project installed. It starts a PostgreSQL of its own, makes a client, and
for some seconds by turns signs 400 bytes with `cryptography` and calls AuthService.IssueToken through the dispatcher (metadata,
deadline, validation, client authentication, signing; without HTTP). It prints both rates and their ratio; to hold: 15 %, over
HTTP too, where the edge takes its share.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import uvloop
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from pydantic import SecretStr
from smoke import few

from catenary.platform.v1 import auth_service_pb2
from catenary_core.bootstrap import running_core
from catenary_core.database import migrate
from catenary_core.database.transactions import Database
from catenary_core.embedded_postgres import server as embedded_postgres
from catenary_core.keyring.ring import secrets_of
from catenary_core.services.identity.clients.creation import create_client
from catenary_core.settings import CoreSettings

ROUNDS = few(25)
SECONDS = 0.1
_METHOD = "/catenary.platform.v1.AuthService/IssueToken"


async def _rate(work: Callable[[], Awaitable[object]]) -> float:
    count, began = 0, time.perf_counter()
    while (passed := time.perf_counter() - began) < SECONDS:
        for _ in range(50):
            await work()
        count += 50
    return count / passed


async def measure(dsn: str, folder: Path) -> tuple[float, float, float]:
    """Return the medians of signatures a second, of grants a second and of their ratio, over short rounds."""
    key, algorithm, message = ec.generate_private_key(ec.SECP256R1()), ec.ECDSA(hashes.SHA256()), b"x" * 400
    settings = CoreSettings(
        database_url=SecretStr(dsn),
        secret_key=SecretStr("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="),
        data_dir=folder,
    )
    database = Database(dsn, max_connections=2)
    await database.open()
    secrets = await secrets_of(database, bytes(32))
    async with database.transaction() as tx:
        client, secret = await create_client(tx, secrets, "bench", admin=False)
    await database.close()

    async def sign() -> None:
        key.sign(message, algorithm)

    async with running_core(settings) as core:

        async def grant() -> None:
            request = auth_service_pb2.IssueTokenRequest(
                grant_type="client_credentials", client_id=client["client_id"], client_secret=secret
            )
            answer = await core.dispatch.call(_METHOD, request, {"catenary-client-address": "192.0.2.1"})
            assert answer.body["access_token"]

        await grant()
        rates = [(await _rate(sign), await _rate(grant)) for _ in range(ROUNDS)]
    signatures, grants = zip(*rates, strict=True)
    ratio = statistics.median(grant / signature for signature, grant in rates)
    return statistics.median(signatures), statistics.median(grants), ratio


def main() -> None:
    """Measures and prints."""
    with tempfile.TemporaryDirectory(prefix="catenary-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        with embedded_postgres.start(folder / "pg") as server:
            migrate.upgrade(server.dsn)
            signatures, grants, ratio = uvloop.run(measure(server.dsn, folder))
    print(f"ES256 signatures  {signatures:8.0f} /s")
    print(f"token grants      {grants:8.0f} /s")
    print(f"ratio             {ratio:8.1%}  (to hold: 15 %)")


if __name__ == "__main__":
    main()
