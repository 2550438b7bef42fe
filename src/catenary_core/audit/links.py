"""The hashes of the chain and the signatures of its anchors, as they are made and verified."""

from __future__ import annotations

import hashlib

import orjson

from catenary_core.database.statements import Row
from catenary_core.secrets import Secrets

BEGINNING = bytes(32)
"""Stands for the hash before the first entry."""
_HASHED = (
    "sequence",
    "occurred_at",
    "actor_id",
    "credential_id",
    "action",
    "subject",
    "outcome",
    "request_id",
    "count",
    "details",
)
"""Columns that the chain covers, in their order."""
_PURPOSE = "audit anchors"


def linked(before: bytes, row: Row) -> bytes:
    """Return the hash of the chain up to a row: SHA-256 of the hash before and the row's columns as a JSON list."""
    return hashlib.sha256(before + orjson.dumps([row[name] for name in _HASHED])).digest()


def signed(secrets: Secrets, place: int, link: bytes, *, trimmed: bool) -> bytes:
    """Return the signature of an anchor.

    Args:
        secrets: keys of the installation.
        place: place in the chain.
        link: hash of the chain up to there.
        trimmed: whether the entries up to there were removed.
    """
    return secrets.sign(_PURPOSE, _signed_text(place, link, trimmed=trimmed))


def is_signed(secrets: Secrets, anchor: Row) -> bool:
    """Return whether the signature of an anchor's row is ours."""
    content = _signed_text(anchor["chain_sequence"], bytes(anchor["chain_hash"]), trimmed=anchor["trimmed"])
    return secrets.is_signed(_PURPOSE, content, bytes(anchor["signature"]))


def _signed_text(place: int, link: bytes, *, trimmed: bool) -> bytes:
    return place.to_bytes(8) + bytes([trimmed]) + link
