"""People without an identity provider, with a browser each, over HTTP."""

from __future__ import annotations

from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any

from factories.events.world import Caller, World


@dataclass
class Browser:
    """A browser of a person: its cookie, and the token that its page has."""

    here: World
    cookie: str = ""
    token: str = ""
    set_cookie: str = ""
    """The last Set-Cookie header."""
    used: list[str] = field(default_factory=list)
    """Cookies that were replaced, oldest first."""

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    async def sign_in(self, status: int = 200, **body: str) -> Any:
        """Take an invitation or a sign-in link."""
        return await self._send("POST", "/v1/auth/session", status, {}, json=body)

    async def refresh(self, status: int = 200, *, cookie: str | None = None, origin: str | None = None) -> Any:
        """Exchange the cookie, or another one."""
        return await self._send("POST", "/v1/auth/session/refresh", status, self._sent(cookie, origin))

    async def sign_out(self, status: int = 200, *, origin: str | None = None) -> Any:
        """End the session."""
        return await self._send("DELETE", "/v1/auth/session", status, self._sent(None, origin))

    async def status(self, path: str, method: str = "GET", **given: Any) -> int:
        """Return the status of a call with the token, and the cookie as browsers send it along."""
        headers = self.headers | {"Cookie": f"catenary_session={self.cookie}"}
        async with self.here.http.request(method, self.here.url + path, headers=headers, **given) as answer:
            await answer.read()
            return answer.status

    async def me(self) -> dict[str, Any]:
        """Return the person's own record."""
        async with self.here.http.get(f"{self.here.url}/v1/users/me", headers=self.headers) as answer:
            found: dict[str, Any] = (await answer.json())["data"]["user"]
            return found

    def _sent(self, cookie: str | None, origin: str | None) -> dict[str, str]:
        shown = self.cookie if cookie is None else cookie
        found = {"Origin": self.here.url if origin is None else origin, "Cookie": f"a=1; catenary_session={shown}"}
        return {name: value for name, value in found.items() if value}

    async def _send(self, method: str, path: str, status: int, headers: dict[str, str], **given: Any) -> Any:
        async with self.here.http.request(method, self.here.url + path, headers=headers, **given) as answer:
            body = await answer.json()
            assert answer.status == status, body
            assert self.cookie == "" or self.cookie not in str(body)
            if "Set-Cookie" in answer.headers:
                self._take(answer.headers["Set-Cookie"])
            if isinstance(body, dict) and "access_token" in body:
                self.token = body["access_token"]
            return body

    def _take(self, header: str) -> None:
        self.used.append(self.cookie)
        self.set_cookie = header
        self.cookie = SimpleCookie(header)["catenary_session"].value


async def invite(here: World, owner: Caller, project_id: str, role: str = "viewer", **fields: str) -> tuple[str, Any]:
    """Invite a person; return the token and the invitation."""
    body = {"email": "ada@example.com", "staff_name": "Ada", "role": role, **fields}
    made = await here.call(owner, "POST", f"/v1/projects/{project_id}/invitations", 201, json=body)
    return made["data"]["url"].partition("#invite=")[2], made["data"]["invitation"]


async def invited(here: World, owner: Caller, project_id: str, role: str = "viewer") -> Browser:
    """Return the browser of a new person who has taken an invitation."""
    token, _ = await invite(here, owner, project_id, role)
    browser = Browser(here)
    await browser.sign_in(invitation=token)
    return browser
