"""Every attack on a token is refused, the good token works after it, and each guard is needed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import ECAlgorithm

from catenary_core.call.errors import DomainError
from catenary_core.services.identity.tokens import verification
from catenary_core.services.identity.tokens.verification import GUARDS, Issuer, Verifier
from factories.services.tokens import ec_key, part, write

NOW = 1_800_000_000
A, B = "https://a.example", "https://b.example"
KEYS = {A: ec_key(), B: ec_key()}
STRANGER = ec_key()
RSA = rsa.generate_private_key(public_exponent=65537, key_size=2048)
HEADER = {"typ": "at+jwt", "alg": "ES256", "kid": "k1"}
CLAIMS = {"iss": A, "aud": "us", "sub": "someone", "iat": NOW - 10, "exp": NOW + 600}


def _jwk(key: Any) -> dict[str, Any]:
    return dict(ECAlgorithm.to_jwk(key.public_key(), as_dict=True))


def _issuer(name: str) -> Issuer:
    async def find(kid: str, algorithm: str) -> Any:
        return KEYS[name].public_key() if kid == "k1" else None

    return Issuer(name, "us", frozenset({"ES256"}), frozenset({"at+jwt"}), find)


@pytest.fixture
def verifier() -> Verifier:
    return Verifier([_issuer(A), _issuer(B)], lambda: NOW)


def token(
    header: dict[str, Any] | None = None,
    claims: dict[str, Any] | None = None,
    key: Any = None,
    algorithm: str = "ES256",
) -> str:
    """Return the good token with changes; a value of `...` takes a key out."""
    merged = [
        {name: value for name, value in (base | (change or {})).items() if value is not ...}
        for base, change in ((HEADER, header), (CLAIMS, claims))
    ]
    return write(merged[0], merged[1], key or KEYS[A], algorithm)


def raw(header: str = "", claims: str = "") -> str:
    """Return the good token with text put in front of its header's or claims' first key."""
    return write("{" + header + json.dumps(HEADER)[1:], "{" + claims + json.dumps(CLAIMS)[1:], KEYS[A])


def _pem(key: Any) -> bytes:
    return bytes(key.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo))


def _hmac_of_public_key() -> str:
    """HS256 with the public key as the shared secret. PyJWT refuses such a key, so the signature is made by hand."""
    import hashlib
    import hmac

    signed = f"{part(json.dumps(HEADER | {'alg': 'HS256'}).encode())}.{part(json.dumps(CLAIMS).encode())}"
    return f"{signed}.{part(hmac.digest(_pem(KEYS[A].public_key()), signed.encode(), hashlib.sha256))}"


def _parts() -> list[str]:
    return token().split(".")


def _with_signature(signature: bytes) -> str:
    return ".".join([*_parts()[:2], part(signature)])


def _der_signature() -> str:
    from cryptography.hazmat.primitives import hashes

    signed = ".".join(_parts()[:2])
    return f"{signed}.{part(KEYS[A].sign(signed.encode(), ec.ECDSA(hashes.SHA256())))}"


def _nested() -> str:
    return write(HEADER | {"cty": "JWT"}, json.dumps(token()), KEYS[A])


# Attack, its token, and the rule that refuses it.
ATTACKS: list[tuple[str, Callable[[], str], str]] = [
    *(
        (
            f"alg {name}",
            lambda name=name: ".".join([part(json.dumps(HEADER | {"alg": name}).encode()), *_parts()[1:]]),
            "algorithm",
        )
        for name in ("none", "None", "NONE", "nOnE", "HS256", "RS256", "ES384", "", None, 5, ["ES256"])
    ),
    (
        "alg none without a signature",
        lambda: f"{part(json.dumps(HEADER | {'alg': 'none'}).encode())}.{_parts()[1]}.",
        "form",
    ),
    ("HS256 signed with the public key", _hmac_of_public_key, "algorithm"),
    ("RS256 with a key of its own", lambda: token({"alg": "RS256"}, key=RSA, algorithm="RS256"), "algorithm"),
    ("kid unknown", lambda: token({"kid": "k2"}), "signature"),
    ("kid empty", lambda: token({"kid": ""}), "kid"),
    ("kid absent, and the issuer has several keys", lambda: token({"kid": ...}), "signature"),
    ("kid a number", lambda: token({"kid": 1}), "kid"),
    ("kid a list", lambda: token({"kid": ["k1"]}), "kid"),
    ("kid doubled", lambda: raw(header='"kid": "k2", '), "form"),
    ("kid a path", lambda: token({"kid": "../../etc/passwd"}), "signature"),
    ("kid with SQL", lambda: token({"kid": "k1' OR '1'='1"}), "signature"),
    ("header crit", lambda: token({"crit": ["x"]}), "header"),
    ("a key brought along", lambda: token({"jwk": _jwk(STRANGER)}, key=STRANGER), "signature"),
    *(
        (f"a key named by {name}", lambda name=name: token({name: "https://x.example"}, key=STRANGER), "signature")
        for name in ("jku", "x5u")
    ),
    ("header zip", lambda: token({"zip": "DEF"}), "header"),
    ("header b64", lambda: token({"b64": True}), "header"),
    ("a nested token", _nested, "form"),
    ("a nested token's type", lambda: token({"cty": "JWT"}), "header"),
    ("JWE", lambda: ".".join([part(b'{"alg":"RSA-OAEP","enc":"A256GCM"}'), "a", "b", "c", "d"]), "form"),
    ("signature stripped", lambda: ".".join([*_parts()[:2], ""]), "form"),
    ("signature truncated", lambda: token()[:-10], "signature"),
    ("signature zeroed", lambda: _with_signature(bytes(64)), "signature"),
    (
        "signature of another token",
        lambda: ".".join([*_parts()[:2], token(claims={"sub": "x"}).split(".")[2]]),
        "signature",
    ),
    ("signature in DER", _der_signature, "signature"),
    ("another key", lambda: token(key=STRANGER), "signature"),
    ("issuer B's key with A's iss", lambda: token(key=KEYS[B]), "signature"),
    ("exp past", lambda: token(claims={"exp": NOW - 31}), "TOKEN_EXPIRED"),
    ("exp missing", lambda: token(claims={"exp": ...}), "times"),
    ("exp null", lambda: token(claims={"exp": None}), "times"),
    ("exp text", lambda: token(claims={"exp": str(NOW + 600)}), "times"),
    ("exp float past", lambda: token(claims={"exp": NOW - 30.5}), "TOKEN_EXPIRED"),
    ("exp huge", lambda: raw(claims='"exp": 1' + "0" * 400 + ', "x": {}, ').replace("=", ""), "form"),
    ("exp over 2^53", lambda: token(claims={"exp": 2**60}), "times"),
    ("exp true", lambda: token(claims={"exp": True}), "times"),
    ("exp negative", lambda: token(claims={"exp": -1}), "times"),
    ("exp infinite", lambda: write(HEADER, json.dumps(CLAIMS).replace(str(NOW + 600), "1e999"), KEYS[A]), "form"),
    ("nbf in the future", lambda: token(claims={"nbf": NOW + 31}), "future"),
    ("nbf text", lambda: token(claims={"nbf": "0"}), "times"),
    ("iat in the future", lambda: token(claims={"iat": NOW + 31}), "future"),
    ("iat missing", lambda: token(claims={"iat": ...}), "times"),
    ("aud missing", lambda: token(claims={"aud": ...}), "audience"),
    ("aud other", lambda: token(claims={"aud": "them"}), "audience"),
    ("aud a prefix", lambda: token(claims={"aud": "u"}), "audience"),
    ("aud longer", lambda: token(claims={"aud": "us2"}), "audience"),
    ("aud two", lambda: token(claims={"aud": ["us", "them"]}), "audience"),
    ("aud empty", lambda: token(claims={"aud": []}), "audience"),
    *(
        (f"iss {name!r}", lambda name=name: token(claims={"iss": name}), "issuer")
        for name in (A + "/", A + ".evil", A.upper(), "", None, 7, [A], {"a": A})
    ),
    ("iss missing", lambda: token(claims={"iss": ...}), "issuer"),
    ("sub a number", lambda: token(claims={"sub": 1}), "subject"),
    ("sub empty", lambda: token(claims={"sub": ""}), "subject"),
    ("sub long", lambda: token(claims={"sub": "x" * 256}), "subject"),
    ("sub of 2 MB", lambda: token(claims={"sub": "x" * 2**21}), "length"),
    ("sub missing", lambda: token(claims={"sub": ...}), "subject"),
    *(
        (f"an ID token by {name}", lambda name=name: token(claims={name: "x"}), "id_token")
        for name in ("nonce", "at_hash")
    ),
    ("an ID token by typ", lambda: token(claims={"typ": "ID"}), "id_token"),
    ("typ of an id token", lambda: token({"typ": "JWT"}), "type"),
    ("typ absent", lambda: token({"typ": ...}), "type"),
    ("typ a list", lambda: token({"typ": ["at+jwt"]}), "type"),
    ("4 parts", lambda: token() + ".x", "form"),
    ("2 parts", lambda: ".".join(_parts()[:2]), "form"),
    ("padding", lambda: token() + "=", "form"),
    ("white space before", lambda: " " + token(), "form"),
    ("white space after", lambda: token() + " ", "form"),
    ("white space inside", lambda: token().replace(".", ". ", 1), "form"),
    ("newline", lambda: token() + "\n", "form"),
    ("non-ASCII", lambda: token() + "é", "form"),
    ("non-ASCII digits", lambda: token() + "٣", "form"),
    ("over 8 kB", lambda: token(claims={"x": "y" * 8192}), "length"),
    ("claims doubled", lambda: raw(claims='"sub": "admin", '), "form"),
    ("claims a list", lambda: write(HEADER, "[]", KEYS[A]), "form"),
    ("claims not JSON", lambda: write(HEADER, "hello", KEYS[A]), "form"),
    ("claims too deep", lambda: write(HEADER, '{"a":' + "[" * 2000 + "]" * 2000 + "}", KEYS[A]), "form"),
    ("claims not UTF-8", lambda: ".".join([_parts()[0], part(b'{"sub":"\xff"}'), _parts()[2]]), "form"),
    ("NaN", lambda: raw(claims='"x": NaN, '), "form"),
    ("empty", lambda: "", "form"),
]


@pytest.mark.parametrize(
    ("make", "rule"), [(make, rule) for _, make, rule in ATTACKS], ids=[name for name, _, _ in ATTACKS]
)
async def test_an_attack_is_refused_and_the_good_token_works_after_it(
    verifier: Verifier, make: Callable[[], str], rule: str
) -> None:
    with pytest.raises(DomainError) as refusal:
        await verifier.verify(make())
    if rule == "TOKEN_EXPIRED":
        assert refusal.value.reason == rule
    else:
        assert refusal.value.reason == "INVALID_TOKEN"
        assert refusal.value.details == {"constraint": rule}
        assert refusal.value.message.startswith("The token is refused: it")
        assert refusal.value.message.endswith("Send an access token as the platform gave it, or get a new one.")
    issuer, claims = await verifier.verify(token())
    assert (issuer.name, claims["sub"]) == (A, "someone")


def test_every_guard_has_an_attack() -> None:
    assert set(GUARDS) <= {rule for _, _, rule in ATTACKS}


# What gets through when one guard is off: a token that is properly signed, as an issuer that errs or a stolen key may make.
WITHOUT = {
    "header": lambda: token({"zip": "DEF"}),
    "type": lambda: token({"typ": "JWT"}),
    "audience": lambda: token(claims={"aud": "them"}),
    "id_token": lambda: token(claims={"nonce": "x"}),
    "subject": lambda: token(claims={"sub": ""}),
    "times": lambda: token(claims={"exp": str(NOW + 600)}),
    "future": lambda: token(claims={"nbf": NOW + 3600}),
}


@pytest.mark.parametrize("guard", sorted(WITHOUT))
async def test_without_a_guard_its_attack_gets_through(
    guard: str, verifier: Verifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    attack = WITHOUT[guard]()
    with pytest.raises(DomainError):
        await verifier.verify(attack)
    monkeypatch.setitem(GUARDS, guard, lambda _: True)
    await verifier.verify(attack)


async def test_without_the_algorithm_list_a_public_key_would_verify_what_it_signed(
    verifier: Verifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A provider that publishes a key for one algorithm must not vouch for another: here an issuer whose key is used for ES256
    # only by its list.
    async def find(kid: str, algorithm: str) -> Any:
        return RSA.public_key()

    strict = Verifier([Issuer(A, "us", frozenset({"PS256"}), frozenset({"at+jwt"}), find)], lambda: NOW)
    attack = token({"alg": "RS256"}, key=RSA, algorithm="RS256")
    with pytest.raises(DomainError, match="algorithm"):
        await strict.verify(attack)
    monkeypatch.setitem(GUARDS, "algorithm", lambda _: True)
    await strict.verify(attack)


async def test_without_the_kid_guard_a_provider_s_look_up_gets_what_is_no_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(GUARDS, "kid", lambda _: True)
    asked: list[Any] = []

    async def find(kid: Any, algorithm: str) -> Any:
        asked.append(kid)
        return None

    strict = Verifier([Issuer(A, "us", frozenset({"ES256"}), frozenset({"at+jwt"}), find)], lambda: NOW)
    with pytest.raises(DomainError, match="signature"):
        await strict.verify(token({"kid": 1}))
    assert asked == [1]


async def test_without_strict_json_the_last_of_two_equal_claims_counts(
    verifier: Verifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    attack = write(HEADER, json.dumps(CLAIMS)[:-1] + ', "sub": "admin"}', KEYS[A])
    with pytest.raises(DomainError, match="form"):
        await verifier.verify(attack)
    monkeypatch.setattr(verification.json_text, "parse", lambda text, field: json.loads(text))
    _, claims = await verifier.verify(attack)
    assert claims["sub"] == "admin"


async def test_without_the_length_limit_a_long_token_is_parsed(
    verifier: Verifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    attack = token(claims={"x": "y" * 9000})
    with pytest.raises(DomainError, match="longer than"):
        await verifier.verify(attack)
    monkeypatch.setattr(verification, "MAX_BYTES", 2**30)
    await verifier.verify(attack)


async def test_without_the_form_check_padding_gets_through(verifier: Verifier, monkeypatch: pytest.MonkeyPatch) -> None:
    attack = token() + "=="
    with pytest.raises(DomainError, match="form"):
        await verifier.verify(attack)
    monkeypatch.setattr(verification, "_COMPACT", re.compile(r".*", re.DOTALL))
    await verifier.verify(attack)


async def test_without_the_signature_check_a_stranger_gets_through(
    verifier: Verifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verification, "_is_signed", lambda *_: True)
    await verifier.verify(token(key=STRANGER))


@pytest.mark.parametrize(
    "claims",
    [
        {"exp": NOW - 29},
        {"nbf": NOW + 30},
        {"iat": NOW + 30},
        {"aud": ["us"]},
        {"sub": "x" * 255},
        {"nbf": NOW},
        {"iat": 1e9},
    ],
)
async def test_half_a_minute_of_skew_and_one_listed_audience_are_accepted(
    verifier: Verifier, claims: dict[str, Any]
) -> None:
    await verifier.verify(token(claims=claims))


async def test_unused_members_of_a_header_are_passed_over(verifier: Verifier) -> None:
    await verifier.verify(token({"jku": "https://x.example", "x5c": ["x"], "jwk": _jwk(STRANGER), "ver": 2}))


async def test_ours_among_audiences_is_taken_unless_it_must_be_alone() -> None:
    listed = token(claims={"aud": ["us", "account"]})
    issuer = _issuer(A)
    await Verifier([replace(issuer, only_audience=False)], lambda: NOW).verify(listed)
    with pytest.raises(DomainError, match="found us, account, must be us alone"):
        await Verifier([replace(issuer, only_audience=True)], lambda: NOW).verify(listed)


async def test_the_type_is_read_in_any_case(verifier: Verifier) -> None:
    await verifier.verify(token({"typ": "AT+JWT"}))


async def test_pyjwt_alone_lets_through_what_the_rules_refuse() -> None:
    """PyJWT accepts these tokens: our own rules refuse them."""
    public = KEYS[A].public_key()
    exp = 2**40
    for attack in (
        token({"typ": "JWT"}, {"exp": str(exp)}),
        token({"cty": "JWT"}, {"exp": exp, "nonce": "x"}),
        token(claims={"exp": exp, "aud": ["us", "them"]}),
    ):
        jwt.decode(attack, public, ["ES256"], audience="us", options={"verify_iat": False})


def test_two_issuers_of_one_name_are_refused_at_the_start() -> None:
    with pytest.raises(ValueError, match="twice"):
        Verifier([_issuer(A), _issuer(A)], lambda: NOW)
