"""ApiKeyService: credentials of a user with limited scopes."""

from __future__ import annotations

import time
from collections.abc import Callable

import uuid_utils

from catenary.platform.v1 import api_key_service_pb2 as pb
from catenary.platform.v1 import api_key_service_shapes as shapes
from catenary.platform.v1.api_key_shapes import ApiKey
from catenary_core.call import preconditions
from catenary_core.call.call import Call
from catenary_core.call.ends import end_of
from catenary_core.call.errors import DomainError, not_found
from catenary_core.database.statements import Row, shaped
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Frame
from catenary_core.resources.platform_pages import page_of
from catenary_core.secrets import random_credential
from catenary_core.services.identity import queries, scopes
from catenary_core.services.identity.tokens.credentials import KEY_PREFIX

_SHOWN = len(KEY_PREFIX) + 6
"""Number of characters of a key that lists show."""


class ApiKeyServicer:
    """`catenary.platform.v1.ApiKeyService`."""

    def __init__(self, frame: Frame, clock: Callable[[], float] = time.time) -> None:
        """Create the servicer; `clock` returns Unix seconds."""
        self._db = frame.db
        self._secrets = frame.secrets
        self._clock = clock

    async def list_api_keys(self, request: pb.ListApiKeysRequest, call: Call) -> shapes.ListApiKeysResponse:
        """List a page of the caller's keys, or of all users' keys for an Admin."""
        page = page_of(request)
        rows = queries.API_KEYS if call.caller.admin else queries.API_KEYS_OF_USER
        user = {} if call.caller.admin else {"user_id": call.caller.user_id}
        async with self._db.read() as tx:
            keys, next_cursor = await rows.read(tx, page, search=request.search, **user)
        return {"api_keys": [shaped(ApiKey, row) for row in keys], "next_cursor": next_cursor}

    async def create_api_key(self, request: pb.CreateApiKeyRequest, call: Call) -> shapes.CreateApiKeyResponse:
        """Create a key within the scopes of the caller's own credential. An API key can't create keys."""
        if call.caller.kind == "api_key":
            raise DomainError("PERMISSION_DENIED", "An API key can't make API keys; use a token.")
        scopes.check_grantable(call.caller, request.scopes)
        key = KEY_PREFIX + random_credential()
        async with self._db.transaction() as tx:
            row = await tx.one(
                queries.ADD_API_KEY,
                id=str(uuid_utils.uuid7()),
                user_id=call.caller.user_id,
                name=request.name,
                prefix=key[:_SHOWN],
                digest=self._secrets.digest(key),
                scopes=list(request.scopes),
                expires_at=end_of(request, self._clock()),
            )
        return {"api_key": shaped(ApiKey, row), "key": key}

    async def get_api_key(self, request: pb.GetApiKeyRequest, call: Call) -> shapes.GetApiKeyResponse:
        """Return one key of the caller, or any key for an Admin."""
        async with self._db.read() as tx:
            return {"api_key": await _visible(tx, request.api_key_id, call)}

    async def delete_api_key(self, request: pb.DeleteApiKeyRequest, call: Call) -> shapes.DeleteApiKeyResponse:
        """Delete a key, which ends its use."""
        async with self._db.transaction() as tx:
            await tx.execute(queries.LOCK_API_KEY, api_key_id=request.api_key_id)
            preconditions.check(call, await _visible(tx, request.api_key_id, call))
            return {"api_key": _found(await tx.one_or_none(queries.DELETE_API_KEY, api_key_id=request.api_key_id))}


async def _visible(tx: Transaction, api_key_id: str, call: Call) -> ApiKey:
    key = _found(await tx.one_or_none(queries.API_KEY, api_key_id=api_key_id))
    if key["user_id"] != call.caller.user_id and not call.caller.admin:
        raise not_found("API key")
    return key


def _found(row: Row | None) -> ApiKey:
    if row is None:
        raise not_found("API key")
    return shaped(ApiKey, row)
