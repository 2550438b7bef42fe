"""An identity provider on loopback with the authorization code flow for public clients, in threads of its own."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from jwt.algorithms import ECAlgorithm

from factories.services.tokens import ec_key, write

CLIENT_ID = "studio"
AUDIENCE = "catenary"


class SignInProvider:
    """People are signed in at once, as `subject`, unless the provider `denies` them."""

    def __init__(self) -> None:
        self.subject = "robin"
        self.denies = False
        self.is_away = False
        self.left: list[dict[str, str]] = []
        """The queries with which people came to sign out."""
        self.discovery: dict[str, Any] = {}
        self.seconds = 600
        """Life of its tokens."""
        self.grants: list[str] = []
        """The grant types of the tokens that it gave."""
        self._key = ec_key()
        self._codes: dict[str, dict[str, str]] = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.issuer = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def setting(self) -> dict[str, str]:
        """The provider as an object of CATENARY_OIDC_ISSUERS."""
        return {"issuer": self.issuer, "audience": AUDIENCE, "studio_client_id": CLIENT_ID, "name": "Example AG"}

    def read(self, path: str) -> dict[str, Any]:
        """Return a document of the provider."""
        if path == "/keys":
            key = ECAlgorithm.to_jwk(self._key.public_key(), as_dict=True)
            return {"keys": [key | {"kid": "1", "use": "sig", "alg": "ES256"}]}
        endpoints = {f"{name}_endpoint": f"{self.issuer}/{name}" for name in ("authorization", "token", "end_session")}
        return {"issuer": self.issuer, "jwks_uri": f"{self.issuer}/keys"} | endpoints | self.discovery

    def authorize(self, query: dict[str, str]) -> str:
        """Return where people are sent back to (RFC 6749, sections 4.1.2 and 4.1.2.1)."""
        answer = {"state": query["state"], "iss": self.issuer}
        if self.denies:
            answer["error"] = "access_denied"
        else:
            answer["code"] = str(uuid.uuid4())
            self._codes[answer["code"]] = query
        return f"{query['redirect_uri']}?{urlencode(answer)}"

    def end_session(self, query: dict[str, str]) -> str:
        """Return where people are sent back to (OpenID Connect RP-Initiated Logout 1.0, section 3)."""
        self.left.append(query)
        return f"{query['post_logout_redirect_uri']}?{urlencode({'state': query['state']})}"

    def exchange(self, form: dict[str, str]) -> dict[str, Any] | None:
        """Return a token for a code with the verifier of its challenge, or for a refresh token; None for others."""
        if form["grant_type"] == "authorization_code":
            asked = self._codes.pop(form["code"], None)
            digest = hashlib.sha256(form["code_verifier"].encode()).digest()
            challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
            same = ("client_id", "redirect_uri")
            if asked is None or asked["code_challenge"] != challenge or any(asked[one] != form[one] for one in same):
                return None
        elif form["refresh_token"] != self.subject:
            return None
        self.grants.append(form["grant_type"])
        token = self.grant()
        return {
            "access_token": token,
            "token_type": "Bearer",
            "expires_in": self.seconds,
            "refresh_token": self.subject,
        }

    def grant(self) -> str:
        """Return a token of `subject`."""
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": AUDIENCE, "sub": self.subject, "name": "Robin Example", "iat": now}
        return write({"alg": "ES256", "kid": "1"}, claims | {"exp": now + self.seconds}, self._key)


@contextmanager
def sign_in_provider() -> Iterator[SignInProvider]:
    """Run a provider until the block ends."""
    provider = SignInProvider()
    try:
        yield provider
    finally:
        provider.stop()


def _handler(provider: SignInProvider) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            if provider.is_away:
                self._answer(503, b"")
            elif send_back := {"/authorization": provider.authorize, "/end_session": provider.end_session}.get(
                parts.path
            ):
                query = {name: values[0] for name, values in parse_qs(parts.query).items()}
                self._answer(302, b"", Location=send_back(query))
            else:
                self._answer(200, json.dumps(provider.read(parts.path)).encode())

        def do_POST(self) -> None:
            text = self.rfile.read(int(self.headers["Content-Length"])).decode()
            found = provider.exchange({name: values[0] for name, values in parse_qs(text).items()})
            body = json.dumps(found or {"error": "invalid_grant"}).encode()
            self._answer(400 if found is None else 200, body, **{"Access-Control-Allow-Origin": "*"})

        def _answer(self, status: int, body: bytes, **headers: str) -> None:
            self.send_response(status)
            for name, value in {
                "Content-Type": "application/json",
                "Content-Length": str(len(body)),
                **headers,
            }.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *given: object) -> None:
            pass

    return Handler
