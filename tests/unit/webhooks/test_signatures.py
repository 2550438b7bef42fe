"""Signatures and secrets of webhooks, with the scheme's own library as the oracle."""

from __future__ import annotations

import base64
import time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from catenary_core.call.errors import DomainError
from catenary_core.services.webhooks import signatures, signing_secrets
from catenary_core.services.webhooks.signatures import SignatureError

BODY = b'{"id":"0190","type":"project.updated"}'
KEY, OTHER = bytes(range(32)), bytes(range(32, 64))
keys = st.binary(min_size=24, max_size=64)


def _signed(*secrets: bytes, at: int | None = None) -> dict[str, str]:
    return signatures.headers(secrets, "msg_1", int(time.time()) if at is None else at, BODY)


@given(keys, st.text("0123456789abcdef-", min_size=1), st.text().map(str.encode))
def test_the_schemes_library_takes_our_signatures_and_we_take_its(key: bytes, message_id: str, body: bytes) -> None:
    now = int(time.time())
    headers = signatures.headers([key], message_id, now, body)
    oracle = Webhook(signing_secrets.shown(key))
    oracle.verify(body, headers, json_parse=False)
    assert set(headers) == {"webhook-id", "webhook-timestamp", "webhook-signature"}
    signatures.verify(key, headers, body)


def test_both_secrets_of_a_rotation_verify() -> None:
    headers = _signed(KEY, OTHER)
    assert headers["webhook-signature"].count("v1,") == 2
    for key in (KEY, OTHER):
        Webhook(signing_secrets.shown(key)).verify(BODY, headers)
        signatures.verify(key, headers, BODY)
    with pytest.raises(WebhookVerificationError):
        Webhook(signing_secrets.shown(bytes(32))).verify(BODY, headers)
    with pytest.raises(SignatureError, match="no signature is made with this secret"):
        signatures.verify(bytes(32), headers, BODY)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"webhook-id": "msg_2"}, "no signature"),
        ({"webhook-id": ""}, "webhook-id is missing"),
        ({"webhook-signature": ""}, "webhook-signature is missing"),
        ({"webhook-signature": "v2," + "A" * 44}, "no signature"),
        ({"webhook-signature": "v1"}, "no signature"),
        ({"webhook-signature": "v1,\u00e9"}, "no signature"),
        ({"webhook-timestamp": "now"}, "not a number of Unix seconds"),
        ({"webhook-timestamp": "-1"}, "not a number of Unix seconds"),
        ({"webhook-timestamp": "9" * 5000}, "not a number of Unix seconds"),
        ({"webhook-timestamp": "\u0661"}, "not a number of Unix seconds"),
    ],
    ids=lambda value: repr(value)[:50],
)
def test_a_changed_message_is_not_believed(changed: dict[str, str], said: str) -> None:
    headers = _signed(KEY)
    signatures.verify(KEY, headers, BODY)
    with pytest.raises(SignatureError, match=said):
        signatures.verify(KEY, headers | changed, BODY)
    with pytest.raises(SignatureError, match="no signature"):
        signatures.verify(KEY, headers, BODY + b" ")


@pytest.mark.parametrize(("shift", "taken"), [(-301, False), (-300, True), (300, True), (301, False)])
def test_a_message_may_be_five_minutes_old_or_early(shift: int, taken: bool) -> None:
    headers = _signed(KEY, at=1_000_000)
    if taken:
        signatures.verify(KEY, headers, BODY, now=1_000_000 - shift)
    else:
        with pytest.raises(SignatureError, match="300 s are allowed"):
            signatures.verify(KEY, headers, BODY, now=1_000_000 - shift)


def test_a_message_without_a_secret_is_not_signed() -> None:
    with pytest.raises(ValueError, match="at least one secret"):
        _signed()


@given(keys)
def test_a_shown_secret_is_read_as_the_same_key(key: bytes) -> None:
    assert signing_secrets.read(signing_secrets.shown(key)) == key
    assert signing_secrets.read(signing_secrets.shown(key).rstrip("=")) == key
    assert Webhook(signing_secrets.shown(key))._whsecret == key


def test_a_made_secret_has_32_bytes_of_its_own() -> None:
    one, other = signing_secrets.make(), signing_secrets.make()
    assert len(one) == len(other) == 32
    assert one != other


@given(st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=16, max_size=255))
def test_any_other_secret_is_its_utf8_bytes(text: str) -> None:
    assume(not text.startswith("whsec_"))
    key = signing_secrets.read(text)
    assert key == text.encode()
    assert signing_secrets.shown(key) == "whsec_" + base64.b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    "secret",
    [
        "",
        "short-secret-15",
        "x" * 256,
        "whsec_",
        "whsec_" + base64.b64encode(bytes(23)).decode(),
        "whsec_" + base64.b64encode(bytes(65)).decode(),
        "whsec_not base64, but long enough for it",
        "whsec_" + "A" * 33,
        "whsec_" + "\u00e9" * 32,
    ],
    ids=lambda secret: f"{secret[:12]} ({len(secret)})",
)
def test_a_secret_of_another_form_is_refused_and_never_shown(secret: str) -> None:
    with pytest.raises(DomainError) as refused:
        signing_secrets.read(secret)
    error = refused.value
    assert error.details == {"parameter": "secret", "value": None, "constraint": "secret"}
    assert error.message.startswith("secret must have ")
    assert not secret.removeprefix("whsec_") or secret.removeprefix("whsec_") not in error.message
