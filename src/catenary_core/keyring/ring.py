"""The root keys as a process reads them with its secret, and a core's place among their users."""

from __future__ import annotations

import asyncio
import os
import platform
from collections.abc import Sequence
from typing import Self

import structlog
import uuid_utils
from cryptography.fernet import InvalidToken

from catenary_core.background.failures import run_step
from catenary_core.background.periodic import Periodic
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Database, Transaction
from catenary_core.keyring import rows
from catenary_core.secrets import Roots, SecretLock, Secrets

REPORT_SECONDS = 5.0
"""Mean pause between two reports of a node, which also read changed root keys."""
_LEAVE_SECONDS = 2.0
_log = structlog.get_logger(__name__)


class SecretRefusedError(ValueError):
    """The secret is not, or no longer, valid for the database."""


async def secrets_of(db: Database, secret: bytes) -> Secrets:
    """Return the keys of the installation, for a command or a check; make those of a new installation.

    Raises:
        SecretRefusedError: another secret is the installation's.
    """
    lock = SecretLock(secret)
    await _make_first(db, secret, lock)
    async with db.read() as tx:
        return Secrets(opened(await tx.one_or_none(rows.SECRET, given_name=lock.name), lock))


def opened(row: Row | None, lock: SecretLock) -> Roots:
    """Return the root keys of a secret's row.

    Raises:
        SecretRefusedError: there is no row of a valid secret.
    """
    if row is None:
        raise _foreign()
    if row["roots"] is None:
        raise SecretRefusedError(
            f"the secret {lock.name} was retired or taken back; put the valid one into CATENARY_SECRET_KEY, or into the"
            " file secret.key of the data directory"
        )
    return lock.open(bytes(row["roots"]))


class Member(Periodic):
    """A running core among those that use the root keys: it reports its secret, and reads changed root keys."""

    def __init__(self, db: Database, lock: SecretLock) -> None:
        """Set up the member; `join` makes a whole one."""
        super().__init__("reporting the secret in use", REPORT_SECONDS, self.report)
        self._db = db
        self._lock = lock
        self._id = str(uuid_utils.uuid7())
        self._version = 0
        self._is_told = False
        self.secrets: Secrets
        """The keys of the installation, which change when a secret is rotated or retired."""

    @classmethod
    async def join(cls, db: Database, secret: bytes) -> Self:
        """Return a member whose use of the secret is written, so that the secret isn't retired.

        Raises:
            SecretRefusedError: another secret is the installation's.
        """
        lock = SecretLock(secret)
        await _make_first(db, secret, lock)
        member = cls(db, lock)
        async with db.transaction() as tx:
            # A retirement waits for this transaction and then finds the node, or is seen here.
            await tx.all(rows.READING)
            row = await tx.one_or_none(rows.SECRET, given_name=lock.name)
            member.secrets = Secrets(opened(row, lock))
            member._version = row["version"] if row is not None else 0
            await tx.execute(rows.DROP_ENDED_NODES)
            await member._write(tx)
        return member

    async def report(self) -> None:
        """Read the root keys again if they have changed, and write that the node runs."""
        async with self._db.transaction() as tx:
            row = await tx.one_or_none(rows.SECRET, given_name=self._lock.name)
            if row is None or row["roots"] is None:
                self._tell()
            elif row["version"] != self._version:
                self.secrets.take(opened(row, self._lock))
                self._version = row["version"]
            await self._write(tx)

    async def stop(self) -> None:
        """End the reports and write that the node has ended."""
        await super().stop()
        await run_step("leaving the nodes", self._leave)

    async def _write(self, tx: Transaction) -> None:
        await tx.execute(
            rows.REPORT,
            given_id=self._id,
            given_name=f"{platform.node()}-{os.getpid()}",
            given_secret=self._lock.name,
            given_version=self._version,
        )

    async def _leave(self) -> None:
        async with asyncio.timeout(_LEAVE_SECONDS), self._db.transaction() as tx:
            await tx.execute(rows.LEAVE, given_id=self._id)

    def _tell(self) -> None:
        if not self._is_told:
            _log.error(
                "the secret of this node was retired; start the node again with the new one", secret=self._lock.name
            )
        self._is_told = True


async def _make_first(db: Database, secret: bytes, lock: SecretLock) -> None:
    """Lock up the root keys of an installation that has none yet: random ones, or those of an older release."""
    async with db.read() as tx:
        if await tx.all(rows.SECRETS):
            return
    async with db.transaction() as tx:
        await tx.all(rows.CHANGING)
        if await tx.all(rows.SECRETS):
            return
        found = await tx.all(rows.INHERITED)
        roots = _inherited(secret, [row["sealed"] for row in found]) if found else Roots.random()
        await tx.execute(rows.DROP_INHERITED)
        await tx.execute(
            rows.ADD_SECRET, given_name=lock.name, given_state="current", given_roots=lock.close(roots), given_version=1
        )


def _inherited(secret: bytes, sealed: Sequence[bytes | None]) -> Roots:
    """Return the root keys that follow from the secret, once a value proves it.

    Raises:
        SecretRefusedError: the values were encrypted with another secret.
    """
    roots = Roots.derived(secret)
    secrets = Secrets(roots)
    values = [bytes(value) for value in sealed if value is not None]
    if values and not any(_reads(secrets, value) for value in values):
        raise _foreign()
    return roots


def _reads(secrets: Secrets, sealed: bytes) -> bool:
    try:
        secrets.decrypt(sealed)
    except InvalidToken:
        return False
    return True


def _foreign() -> SecretRefusedError:
    return SecretRefusedError(
        "the secret is not the one of this database; put the right one into CATENARY_SECRET_KEY, or into the file"
        " secret.key of the data directory"
    )
