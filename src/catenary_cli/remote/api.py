"""A small client of the platform's REST API, for the commands that use a running server."""

from __future__ import annotations

import asyncio
import csv
import io
import ssl
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import aiohttp
import orjson
from aiohttp.http_exceptions import HttpProcessingError

from catenary_wire.model_limits import RESULT_BYTES

DEMO_FILE = "demo.json"
MEDIA_TYPES = {".py": "text/x-python", ".zip": "application/zip", ".scad": "application/x-openscad"}
_TABLE = "text/csv"
_TIMEOUT = aiohttp.ClientTimeout(total=120)
_REFUSED_SOCKET = {
    403: "you may not evaluate in this project; ask one of its owners for the role evaluator",
    404: "there is no such project for you",
    409: "the project has no deployed model; deploy one with `catenary model deploy`",
    429: "there is no evaluation, request or compute second left for now; `catenary usage` shows the month's",
    503: "the server can't reach its core; try again",
}
_LINE_BYTES = RESULT_BYTES + 17 * 1024 * 1024
"""Longest line of a stream, in bytes: the results of a point, and its values, which are below the 16 MiB of a batch."""
# A quiet stream sends a comment every 15 s.
_STREAM_TIMEOUT = aiohttp.ClientTimeout(total=None, sock_connect=30, sock_read=60)


class ApiError(Exception):
    """A refusal of the server, in its own words."""

    def __init__(self, status: int, code: str, message: str, faults: Sequence[str] = ()) -> None:
        """Keep a refusal; `faults` are the sentences of further ones of the same request."""
        super().__init__(f"{message} ({code}, {status})")
        self.status = status
        self.code = code
        self.faults = faults


class Access:
    """The address of a server and the client credentials for it."""

    def __init__(self, base_url: str, client_id: str, client_secret: str) -> None:
        """Keep the address, which ends in `/v1/`, and the credentials."""
        self.base_url = base_url.rstrip("/") + "/"
        self.client_id = client_id
        self.client_secret = client_secret

    @classmethod
    def find(cls, url: str | None, client_id: str | None, client_secret: str | None, data_dir: Path) -> Access:
        """Return the given access; missing parts come from the demo's file in the data directory.

        Raises:
            LookupError: A part is neither given nor in the file.
            ValueError: The file is damaged, or this user may not read it.
        """
        known = {} if url and client_id and client_secret else demo_of(data_dir)
        found = (
            url or known.get("base_url"),
            client_id or known.get("client_id"),
            client_secret or known.get("client_secret"),
        )
        if not all(found):
            raise LookupError(
                "no server is known: give --url, --client-id and --client-secret (or CATENARY_URL, CATENARY_CLIENT_ID and"
                " CATENARY_CLIENT_SECRET), or --data-dir of a server that was started with --demo"
                f" ({data_dir / DEMO_FILE} is not there)"
            )
        return cls(*(str(part) for part in found))


def demo_of(data_dir: Path) -> dict[str, str]:
    """Return the content of the demo's file in a data directory; empty without the file.

    Raises:
        ValueError: The file is damaged, or this user may not read it.
    """
    path = data_dir / DEMO_FILE
    try:
        return dict(orjson.loads(path.read_bytes()))
    except FileNotFoundError:
        return {}
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ValueError(f"{path} can't be read: {reason}; allow this user to read it, or run as its owner") from None
    except (orjson.JSONDecodeError, TypeError, ValueError):
        raise ValueError(
            f"{path} is damaged; remove it, and `catenary serve --demo` makes another demo client"
        ) from None


class Api:
    """A session with a server. It gets a token at the first call that needs one."""

    def __init__(
        self, access: Access, tls: ssl.SSLContext | None = None, *, timeout: aiohttp.ClientTimeout = _TIMEOUT
    ) -> None:
        """Prepare a session; `tls` replaces the system's trust store, which `SSL_CERT_FILE` may extend."""
        self._access = access
        self._timeout = timeout
        self._tls = tls
        self._session: aiohttp.ClientSession | None = None
        self._token = ""

    async def __aenter__(self) -> Self:
        connector = None if self._tls is None else aiohttp.TCPConnector(ssl=self._tls)
        self._session = aiohttp.ClientSession(self._access.base_url, timeout=self._timeout, connector=connector)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._session is not None:
            await self._session.close()

    async def token(self) -> Mapping[str, Any]:
        """Return a new access token: the response of RFC 6749, section 5.1."""
        credentials = {"client_id": self._access.client_id, "client_secret": self._access.client_secret}
        async with self._open.post("auth/token", json={"grant_type": "client_credentials", **credentials}) as response:
            return await _checked(response)

    async def get(self, path: str, headers: Mapping[str, str] | None = None) -> dict[str, Any]:
        """Return the `data` of a GET."""
        return dict((await self._call("GET", path, headers=headers))["data"])

    async def pages(self, path: str, key: str) -> list[dict[str, Any]]:
        """Return all rows of a list of the platform; the path may have a query."""
        rows: list[dict[str, Any]] = []
        cursor: str | None = ""
        mark = "&" if "?" in path else "?"
        while cursor is not None:
            answer = await self._call("GET", f"{path}{mark}limit=200&cursor={quote(cursor)}")
            rows += answer["data"][key]
            cursor = answer["metadata"]["next_cursor"]
        return rows

    async def post(
        self, path: str, body: Mapping[str, Any], headers: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        """Return the `data` of a POST with a JSON body."""
        sent = orjson.dumps(body)
        return dict((await self._call("POST", path, data=sent, type_="application/json", headers=headers))["data"])

    async def patch(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return the `data` of a PATCH with a JSON body."""
        sent = orjson.dumps(body)
        return dict((await self._call("PATCH", path, data=sent, type_="application/json"))["data"])

    async def put(self, path: str, body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> dict[str, Any]:
        """Return the `data` of a PUT with a JSON body."""
        sent = orjson.dumps(body)
        return dict((await self._call("PUT", path, data=sent, type_="application/json", headers=headers))["data"])

    async def find_or_create(self, path: str, kind: str, fields: Mapping[str, str]) -> dict[str, Any]:
        """Return the row of the list at `path` that has these fields, created if there is none."""
        for row in await self.pages(path, f"{kind}s"):
            if fields.items() <= row.items():
                return row
        return dict((await self.post(path, fields))[kind])

    async def delete(self, path: str, headers: Mapping[str, str] | None = None) -> None:
        """Send a DELETE."""
        await self._call("DELETE", path, headers=headers)

    async def tagged(self, path: str) -> tuple[dict[str, Any], str]:
        """Return the `data` of a GET, and the entity tag of the answer."""
        async with self._open.get(path, headers=await self._headers()) as response:
            return dict((await _checked(response))["data"]), response.headers["ETag"]

    async def post_content(self, path: str, content: bytes, media_type: str) -> dict[str, Any]:
        """Return the `data` of a POST of the content of a file."""
        return dict((await self._call("POST", path, data=content, type_=media_type))["data"])

    async def table(self, path: str) -> list[list[str]]:
        """Return the lines of a table, the names of its columns first.

        Raises:
            ValueError: The response is no table.
        """
        async with self._open.get(path, headers={**await self._headers(), "Accept": _TABLE}) as response:
            if response.status != 200:
                await _checked(response)
            text = (await response.read()).decode(errors="replace")
            csv.field_size_limit(max(csv.field_size_limit(), RESULT_BYTES))  # a cell may have a table
            try:
                if response.content_type == _TABLE:
                    return list(csv.reader(io.StringIO(text, newline=""), strict=True))
            except csv.Error:
                pass
            raise ValueError("the answer is no table; check that a Catenary server of this release answers there")

    async def rows(self, path: str, key: str) -> list[dict[str, Any]]:
        """Return the list of a data service.

        `path` is absolute, since data services are not below `/v1/`.
        """
        return list((await self._call("GET", path))[key])

    async def upload(self, path: str, file: Path) -> dict[str, Any]:
        """Return the `data` of a POST of a model file, whose media type follows from its suffix.

        Raises:
            ValueError: The suffix is none of MEDIA_TYPES.
        """
        media_type = MEDIA_TYPES.get(file.suffix.lower())
        if media_type is None:
            raise ValueError(f"{file.name} is not a model file: its suffix must be one of {', '.join(MEDIA_TYPES)}")
        return dict(
            (await self._call("POST", path, data=await asyncio.to_thread(file.read_bytes), type_=media_type))["data"]
        )

    async def download(self, path: str, target: Path) -> int:
        """Write the content of a GET to a file; return its size in bytes, 0 while the server is still making it.

        `path` is absolute, as responses give it.
        """
        async with self._open.get(path, headers=await self._headers()) as response:
            if response.status == 202:
                return 0
            if response.status != 200:
                await _checked(response)
            size = 0
            with target.open("wb") as out:
                async for chunk in response.content.iter_chunked(1 << 18):
                    size += out.write(chunk)
            return size

    @asynccontextmanager
    async def stream(
        self, path: str, query: Sequence[tuple[str, str]], headers: Mapping[str, str]
    ) -> AsyncIterator[aiohttp.StreamReader]:
        """Yield the content of a GET whose response has no end.

        Raises:
            TimeoutError: No byte has arrived for 60 s.
            ValueError: A line is longer than any of a Catenary server.
        """
        sent = {**await self._headers(), **headers}
        # aiohttp refuses lines that its buffer has no room for.
        async with self._open.get(
            path, params=list(query), headers=sent, timeout=_STREAM_TIMEOUT, read_bufsize=_LINE_BYTES
        ) as response:
            if response.status != 200:
                await _checked(response)
            try:
                yield response.content
            except HttpProcessingError:
                raise ValueError(
                    f"the server's stream has a line of over {_LINE_BYTES >> 20} MiB; check that a Catenary server answers there"
                ) from None

    @asynccontextmanager
    async def socket(self, path: str, query: Mapping[str, str]) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
        """Yield a WebSocket. `path` is absolute, since WebSockets are not below `/v1/`.

        Raises:
            ApiError: The server refuses the connection; its sentence is not known, as the client reads the status alone.
        """
        headers = await self._headers()
        try:
            async with self._open.ws_connect(path, params=query, headers=headers, max_msg_size=0) as connection:
                yield connection
        except aiohttp.WSServerHandshakeError as error:
            raise ApiError(error.status, "REFUSED", _REFUSED_SOCKET.get(error.status, "the server refused")) from None

    async def _call(
        self,
        method: str,
        path: str,
        *,
        data: bytes | None = None,
        type_: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> dict[str, Any]:
        sent = {**await self._headers(), **(headers or {})}
        if type_ is not None:
            sent["Content-Type"] = type_
        async with self._open.request(method, path, data=data, headers=sent) as response:
            return await _checked(response)

    async def _headers(self) -> dict[str, str]:
        if not self._token:
            self._token = (await self.token())["access_token"]
        return {"Authorization": f"Bearer {self._token}"}

    @property
    def _open(self) -> aiohttp.ClientSession:
        if self._session is None:
            raise RuntimeError("use the client in an `async with`")
        return self._session


async def _checked(response: aiohttp.ClientResponse) -> dict[str, Any]:
    body = await response.read()
    try:
        answer: dict[str, Any] = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise ApiError(response.status, "NOT_JSON", "the address does not answer as a Catenary server") from None
    if response.status >= 400:
        error = answer.get("error")
        fault = error if isinstance(error, dict) else {}
        raise ApiError(
            response.status,
            str(fault.get("code", "ERROR")),
            str(fault.get("message") or answer.get("details") or "the server refused"),
            _further_faults(fault.get("details")),
        )
    return answer


def _further_faults(details: Any) -> list[str]:
    """Return the sentences of a refusal's violations but the first, which is its message."""
    violations = details.get("violations") if isinstance(details, dict) else None
    return [str(one.get("message")) for one in (violations or [])[1:]]
