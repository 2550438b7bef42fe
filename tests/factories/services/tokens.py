"""Tokens that a test writes itself, byte by byte where need be."""

from __future__ import annotations

import base64
import json
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec


def part(value: bytes) -> str:
    """Encode bytes as base64url without padding."""
    return base64.urlsafe_b64encode(value).decode().rstrip("=")


def write(header: dict[str, Any] | str, claims: dict[str, Any] | str, key: Any, algorithm: str = "ES256") -> str:
    """Write a compact token; a header or claims given as text go in as they are."""
    texts = [item if isinstance(item, str) else json.dumps(item) for item in (header, claims)]
    signed = ".".join(part(text.encode()) for text in texts)
    signer = jwt.PyJWS().get_algorithm_by_name(algorithm)
    return f"{signed}.{part(signer.sign(signed.encode(), key))}"


def ec_key() -> ec.EllipticCurvePrivateKey:
    """Make a new P-256 key."""
    return ec.generate_private_key(ec.SECP256R1())
