"""Rotation of the installation's secret: a new one beside the old, the end of the old one, or the way back."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from catenary_core.audit import entries
from catenary_core.audit.entries import AuditEntry
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Database, Transaction
from catenary_core.keyring import ring, rows
from catenary_core.secrets import SecretLock, Secrets

_PAGE = 500
_TAKE_UP_SECONDS = 60.0
_LOOK_SECONDS = 0.5


Renewal = Callable[[Transaction, Secrets], Awaitable[None]]


class RotationError(ValueError):
    """A step of a rotation can't be taken now."""


@dataclass(frozen=True, slots=True)
class SecretUse:
    """The secrets of an installation and the nodes that use them."""

    secrets: list[Row]
    """The rows of the secrets that are or were valid, oldest first."""
    nodes: list[Row]
    """The rows of the running nodes."""

    def of_state(self, state: str) -> Row | None:
        """Return the secret that is `current` or `new`, or None."""
        return next((row for row in self.secrets if row["state"] == state), None)

    def named(self, name: str) -> Row | None:
        """Return the secret of a name, or None."""
        return next((row for row in self.secrets if row["name"] == name), None)

    def users_of(self, name: str) -> str:
        """Return the names of the nodes that use a secret, as one text."""
        return ", ".join(node["name"] for node in self.nodes if node["secret"] == name)


async def standing(db: Database) -> SecretUse:
    """Return who uses which secret now."""
    async with db.transaction() as tx:
        return await _standing(tx)


@asynccontextmanager
async def begun(db: Database, own: bytes, new: bytes) -> AsyncIterator[None]:
    """Make a new secret valid beside the current one, when the block has ended without an exception.

    Args:
        db: the database.
        own: the current secret.
        new: the new secret.

    Raises:
        RotationError: a rotation is under way, or the new secret was used before.
    """
    lock, new_lock = SecretLock(own), SecretLock(new)
    async with db.transaction() as tx:
        await tx.all(rows.CHANGING)
        found = await _standing(tx)
        row = _current(found, lock)
        if found.named(new_lock.name) is not None:
            raise RotationError("the new secret was used here before; `openssl rand -base64 32` makes another one")
        kept = ring.opened(row, lock)
        roots = kept.with_coming()
        version = row["version"] + 1
        # The old secret never opens the keys that come: whoever has it must not read what is encrypted after its end.
        await _change(tx, lock, "current", lock.close(kept), version, unfinished=False)
        await tx.execute(
            rows.ADD_SECRET,
            given_name=new_lock.name,
            given_state="new",
            given_roots=new_lock.close(roots),
            given_version=version,
        )
        await _record(tx, entries.ROTATED, new_lock.name)
        yield


@asynccontextmanager
async def taken_back(db: Database) -> AsyncIterator[None]:
    """End the new secret of a rotation, when the block has ended without an exception; the current one stays.

    Raises:
        RotationError: no rotation is under way, or a node runs with the new secret.
    """
    async with db.transaction() as tx:
        await tx.all(rows.CHANGING)
        found = await _standing(tx)
        new = found.of_state("new")
        if new is None:
            raise RotationError("no rotation is under way, so there is nothing to take back")
        if users := found.users_of(new["name"]):
            raise RotationError(
                f"nodes run with the new secret: {users}; start them again with the old one, then take the rotation back"
            )
        await tx.execute(rows.END_SECRET, given_name=new["name"])
        await _record(tx, entries.TAKEN_BACK, new["name"])
        yield


async def retired(
    db: Database, own: bytes, columns: Sequence[sa.Column[Any]], renewals: Sequence[Renewal] = ()
) -> None:
    """End the old secret and encrypt everything anew under keys that it never opened.

    A retirement that was interrupted is finished.

    Args:
        db: the database.
        own: the new secret.
        columns: the columns with values of `Secrets.encrypt`.
        renewals: make anew what the old secret could open, such as signing keys.

    Raises:
        RotationError: no rotation is under way, a node runs with the old secret, or the nodes don't take up the keys.
    """
    lock = SecretLock(own)
    async with db.transaction() as tx:
        await tx.all(rows.CHANGING)
        version = await _ended_old(tx, lock)
    await _taken_up(db, version)
    secrets = await ring.secrets_of(db, own)
    for column in columns:
        await _encrypt_anew(db, secrets, column)
    async with db.transaction() as tx:
        for renew in renewals:
            await renew(tx, secrets)
        await tx.execute(rows.FINISH, given_name=lock.name)


async def _ended_old(tx: Transaction, lock: SecretLock) -> int:
    """End the old secret unless that is done already; return the version of the root keys."""
    found = await _standing(tx)
    row, old, new = found.named(lock.name), found.of_state("current"), found.of_state("new")
    roots = ring.opened(row, lock)
    if row is None or old is None or (new is None and not old["unfinished"]):
        raise RotationError("no rotation is under way; `catenary secret rotate` begins one")
    if new is None:
        return int(old["version"])
    if row is old:
        raise RotationError(
            "this command still has the old secret; put the new one into CATENARY_SECRET_KEY, then retire the old one"
        )
    if users := found.users_of(old["name"]):
        raise RotationError(f"nodes still run with the old secret: {users}; start them again with the new one first")
    version = int(new["version"]) + 1
    await tx.execute(rows.END_SECRET, given_name=old["name"])
    await _record(tx, entries.RETIRED, old["name"])
    await _change(tx, lock, "current", lock.close(roots.renewed()), version, unfinished=True)
    return version


async def _taken_up(db: Database, version: int) -> None:
    """Wait until every running node encrypts with the root keys of the version.

    Raises:
        RotationError: a node doesn't take them up in time.
    """
    end = time.monotonic() + _TAKE_UP_SECONDS
    while True:
        found = await standing(db)
        late = ", ".join(node["name"] for node in found.nodes if node["version"] < version)
        if not late:
            return
        if time.monotonic() > end:
            raise RotationError(
                f"the old secret has ended, but nodes have not taken up the new keys: {late}; stop them or look at their"
                " logs, then run `catenary secret retire` again, which encrypts the rest anew"
            )
        await asyncio.sleep(_LOOK_SECONDS)


async def _encrypt_anew(db: Database, secrets: Secrets, column: sa.Column[Any]) -> None:
    page, replace = rows.page_of(column, _PAGE), rows.replacing(column)
    after = None
    while True:
        async with db.transaction() as tx:
            found = await tx.all(page, after=after)
            for row in found:
                sealed = bytes(row["sealed"])
                anew = secrets.encrypted_anew(sealed)
                if anew is not None:
                    await tx.execute(replace, of=row["key"], old=sealed, new=anew)
        if len(found) < _PAGE:
            return
        after = found[-1]["key"]


async def _standing(tx: Transaction) -> SecretUse:
    return SecretUse(list(await tx.all(rows.SECRETS)), list(await tx.all(rows.NODES)))


def _current(found: SecretUse, lock: SecretLock) -> Row:
    """Return the row of the current secret, if a rotation may begin with it.

    Raises:
        RotationError: a rotation is under way or a retirement unfinished.
    """
    new, row = found.of_state("new"), found.of_state("current")
    if new is not None:
        raise RotationError(
            f"a rotation is under way since {new['created_at']}; end it with `catenary secret retire`, or take it back"
            " with `catenary secret cancel`"
        )
    if row is None or row["name"] != lock.name:
        ring.opened(found.named(lock.name), lock)
        raise RotationError(
            "the secret of this command is not the current one; `catenary secret status` shows which is"
        )
    if row["unfinished"]:
        raise RotationError("the last retirement is not finished; run `catenary secret retire` again first")
    return row


async def _record(tx: Transaction, action: str, name: str) -> None:
    entry = AuditEntry(action, credential_id=entries.OPERATOR, details={"secrets": [name]})
    await entries.write(tx, entry)


async def _change(
    tx: Transaction, lock: SecretLock, state: str, roots: bytes, version: int, *, unfinished: bool
) -> None:
    await tx.execute(
        rows.CHANGE_SECRET,
        given_name=lock.name,
        given_state=state,
        given_roots=roots,
        given_version=version,
        given_unfinished=unfinished,
    )
