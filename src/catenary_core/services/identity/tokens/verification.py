"""Verification of JSON Web Tokens from known issuers (RFC 7519, RFC 7515, RFC 8725, RFC 9068).

PyJWT checks the signature. This module checks everything else before it: PyJWT accepts `exp` as text, keeps the last of
two equal keys, and ignores `typ` and the length. A key that a token brings along (`jwk`, `jku`, `x5u`) is never used.
"""

from __future__ import annotations

import base64
import binascii
import math
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import jwt

from catenary_core.call import json_text
from catenary_core.call.errors import DomainError
from catenary_wire.printable import escape_controls

MAX_BYTES = 8192
"""Maximum length of a token."""
LEEWAY = 30
"""Seconds of clock skew that are tolerated."""
MAX_NAME = 255
"""Maximum length, in characters, of a `kid` or a `sub`."""

_COMPACT = re.compile(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+", re.ASCII)
# Refused headers: extensions that must be understood, and nested or encrypted content.
_REFUSED_HEADERS = frozenset({"crit", "b64", "zip", "enc", "cty"})
_ID_TOKEN_CLAIMS = frozenset({"nonce", "at_hash"})
_MAX_SHOWN = 200
_SIGNATURES = jwt.PyJWS(options={"verify_signature": True, "enforce_minimum_key_length": True})
_MAX_TIME = 2**53

FindKey = Callable[[str, str], Awaitable[Any]]
"""Returns an issuer's key (a public key or PyJWK) by `kid` and `alg`; None if the issuer has none.

Without a `kid` ("") it returns the only key of an issuer that has one.
"""


@dataclass(frozen=True, slots=True)
class Issuer:
    """An issuer whose tokens are accepted, and the form that they must have."""

    name: str
    """The `iss` of its tokens."""
    audience: str
    """The `aud` that a token must have."""
    algorithms: frozenset[str]
    """The accepted `alg` values."""
    types: frozenset[str | None]
    """The accepted `typ` values in lower case; None: `typ` may be absent."""
    find_key: FindKey
    """Looks up a key of the issuer."""
    only_audience: bool = True
    """True if a token for another audience beside ours is refused."""


@dataclass(frozen=True, slots=True)
class Unverified:
    """A token's parts before verification; none of them may be trusted."""

    header: dict[str, Any]
    claims: dict[str, Any]
    issuer: Issuer
    """The known issuer that the token names."""
    now: float
    """Time of the verification, in Unix seconds."""


def _has_plain_header(token: Unverified) -> bool:
    return _REFUSED_HEADERS.isdisjoint(token.header)


def _has_an_allowed_algorithm(token: Unverified) -> bool:
    algorithm = token.header.get("alg")
    return isinstance(algorithm, str) and algorithm in token.issuer.algorithms


def _has_an_accepted_type(token: Unverified) -> bool:
    kind = token.header.get("typ")
    if kind is not None and not isinstance(kind, str):
        return False
    return (kind and kind.lower()) in token.issuer.types


def _names_a_key_or_none(token: Unverified) -> bool:
    return "kid" not in token.header or _is_name(token.header["kid"])


def _is_for_us(token: Unverified) -> bool:
    audience = token.claims.get("aud")
    listed = audience if isinstance(audience, list) else [audience]
    return token.issuer.audience in listed and (len(listed) == 1 or not token.issuer.only_audience)


def _is_no_id_token(token: Unverified) -> bool:
    return _ID_TOKEN_CLAIMS.isdisjoint(token.claims) and token.claims.get("typ") != "ID"


def _names_a_subject(token: Unverified) -> bool:
    return _is_name(token.claims.get("sub"))


def _has_times(token: Unverified) -> bool:
    times = [token.claims.get("exp"), token.claims.get("iat"), token.claims.get("nbf", 0)]
    return all(type(value) in (int, float) and math.isfinite(value) and 0 <= value < _MAX_TIME for value in times)


def _is_not_from_the_future(token: Unverified) -> bool:
    return all(_as_number(token.claims.get(name, 0)) <= token.now + LEEWAY for name in ("iat", "nbf"))


GUARDS: dict[str, Callable[[Unverified], bool]] = {
    "header": _has_plain_header,
    "algorithm": _has_an_allowed_algorithm,
    "type": _has_an_accepted_type,
    "kid": _names_a_key_or_none,
    "audience": _is_for_us,
    "id_token": _is_no_id_token,
    "subject": _names_a_subject,
    "times": _has_times,
    "future": _is_not_from_the_future,
}
"""The rules that a token must meet before its signature is checked, by the name that a refusal gives."""


class Verifier:
    """Verifies the tokens of several issuers."""

    def __init__(self, issuers: Iterable[Issuer], clock: Callable[[], float]) -> None:
        """Create the verifier; `clock` returns Unix seconds.

        Raises ValueError: two issuers have the same name.
        """
        self._issuers: dict[str, Issuer] = {}
        self._clock = clock
        for issuer in issuers:
            if issuer.name in self._issuers:
                raise ValueError(f"the issuer {issuer.name} is configured twice")
            self._issuers[issuer.name] = issuer

    async def verify(self, text: str) -> tuple[Issuer, dict[str, Any]]:
        """Verify a token; return its issuer and claims.

        Raises INVALID_TOKEN: the token breaks a rule. Raises TOKEN_EXPIRED: the token was valid and has expired.
        """
        token = self._read(text)
        for name, holds in GUARDS.items():
            if not holds(token):
                raise refused(name, _audiences(token) if name == "audience" else "")
        algorithm: str = token.header["alg"]
        key = await token.issuer.find_key(token.header.get("kid", ""), algorithm)
        if key is None or not _is_signed(text, key, algorithm):
            raise refused("signature")
        if _as_number(token.claims["exp"]) + LEEWAY <= token.now:
            raise DomainError("TOKEN_EXPIRED", "The token has ended; get a new one.")
        return token.issuer, token.claims

    def _read(self, text: str) -> Unverified:
        if len(text) > MAX_BYTES:
            raise refused("length")
        if not _COMPACT.fullmatch(text):
            raise refused("form")
        header, claims = (_json_object(part) for part in text.split(".")[:2])
        name = claims.get("iss")
        issuer = self._issuers.get(name) if isinstance(name, str) else None
        if issuer is None:
            raise refused("issuer")
        return Unverified(header, claims, issuer, self._clock())


_WHY: Mapping[str, str] = {
    "length": f"it is longer than {MAX_BYTES} characters",
    "form": "it does not have the form of a JSON Web Token: three parts with a dot between each",
    "issuer": "its issuer (iss) is not accepted here",
    "header": "its header has a member that is refused, such as crit, zip or enc",
    "algorithm": "its issuer does not use its algorithm (alg)",
    "type": "its type (typ) is not that of an access token",
    "kid": "its header names a key (kid) in another way than by a text",
    "audience": "its audience (aud) is another one",
    "id_token": "it is an ID token, for the application that asked for it (nonce, at_hash or typ)",
    "subject": "it does not name a subject (sub)",
    "times": "its exp, iat or nbf is missing or is not a number of seconds",
    "future": "its iat or nbf is in the future; compare the clocks of both machines",
    "signature": "its signature does not fit it, or its key has ended",
    "claims": "a claim is missing or is not one that the platform writes",
}
"""The fault of a token, by the rule that the token breaks."""


def refused(rule: str, found: str = "") -> DomainError:
    """Build the INVALID_TOKEN error of a broken rule; of the token it shows what was `found` alone."""
    return DomainError(
        "INVALID_TOKEN",
        f"The token is refused: {_WHY[rule]}{found}. Send an access token as the platform gave it, or get a new one.",
        details={"constraint": rule},
    )


def _json_object(part: str) -> dict[str, Any]:
    try:
        raw = base64.b64decode(part + "=" * (-len(part) % 4), altchars=b"-_", validate=True)
        value = json_text.parse(raw.decode(), "token")
    except (binascii.Error, UnicodeDecodeError, DomainError):
        raise refused("form") from None
    if not isinstance(value, dict):
        raise refused("form")
    return value


def _audiences(token: Unverified) -> str:
    """Return the part of a refusal that compares a token's audiences with the issuer's."""
    audience = token.claims.get("aud")
    listed = [one for one in (audience if isinstance(audience, list) else [audience]) if isinstance(one, str)]
    shown = escape_controls(", ".join(listed))[:_MAX_SHOWN] or "no text"
    alone = " alone" if token.issuer.only_audience else ""
    return f": found {shown}, must be {token.issuer.audience}{alone}"


def _is_signed(text: str, key: Any, algorithm: str) -> bool:
    try:
        _SIGNATURES.decode_complete(text, key, algorithms=[algorithm])
    except jwt.PyJWTError:
        return False
    return True


def _is_name(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= MAX_NAME


def _as_number(value: Any) -> float:
    return float(value)
