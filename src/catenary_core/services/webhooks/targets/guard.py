"""Allowed targets of webhooks: the form of the URL, and the host names and addresses behind it.

`check` reports errors early, when a webhook is created or changed. Only the guard keeps a delivery from reaching
another target: names may change after the check, so the guard checks again for each connection (`connections.py`).
"""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address

from yarl import URL

from catenary_core.call.errors import invalid
from catenary_core.services.webhooks.targets import addresses, name_lookup

MAX_CHARACTERS = 2048
"""Maximum length of a URL."""
_CHECK_SECONDS = 5.0
"""Time limit of `check`."""
_OWN_SECONDS = 60.0
"""Seconds between two look-ups of the server's own name."""
_OWN_WAIT_SECONDS = 2.0
"""Time limit of one such look-up."""
# A URL of RFC 3986 with a scheme and an authority without user information; zones (RFC 6874) aren't accepted.
_FORM = re.compile(
    r"(?P<scheme>https?)://(?P<host>\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[0-9]{1,5})?(?=[/?]|$)", re.IGNORECASE
)
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")  # RFC 1123, section 2.1, and the underscore, which resolvers accept
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")  # URL Standard, "ends in a number": such a host is an IPv4 address
_WAY_OUT = "; an operator starts the server with --webhook-allow-private to allow private addresses and plain http"
_FORBIDDEN_TEXT = (
    "url must go to a public address; private, local and reserved ones are refused, and so are this server's own"
    + _WAY_OUT
)


class ForbiddenTargetError(OSError):
    """Raised for a forbidden target.

    The text is for the webhook's owner and reveals nothing about the server's network.

    An OSError, because it is raised within a connection attempt.
    """


class Guard:
    """Checks targets before each look-up and each connection. `allow_private` allows any address, and plain http."""

    def __init__(
        self, *, allow_private: bool, public_url: str | None = None, look_up: name_lookup.LookUp = name_lookup.look_up
    ) -> None:
        """Create the guard.

        `public_url` is the server's own address for callers, whose name and addresses are refused.
        """
        self.allow_private = allow_private
        self._look_up = look_up
        self._own_name = _normalized(URL(public_url).raw_host or "") if public_url else ""
        self._own_addresses: frozenset[IPv4Address | IPv6Address] = frozenset()
        self._own_until = 0.0
        self._own_lock = asyncio.Lock()

    async def target(self, text: str) -> URL:
        """Return the URL of a webhook; refresh the server's own addresses.

        Raises ForbiddenTargetError: the URL's form is wrong.
        """
        url = _parsed(text, plain=self.allow_private)
        if self._own_name and not self.allow_private:
            async with self._own_lock:
                await self._refresh_own_addresses()
        return url

    async def _refresh_own_addresses(self) -> None:
        """Look up the server's own name, once a minute.

        A name server that is slow or down delays nobody: the known addresses stay in use.
        """
        if time.monotonic() < self._own_until:
            return
        self._own_until = time.monotonic() + _OWN_SECONDS
        with suppress(OSError):  # includes TimeoutError
            async with asyncio.timeout(_OWN_WAIT_SECONDS):
                self._own_addresses = frozenset(map(ip_address, await self._look_up(self._own_name)))

    async def addresses(self, host: str) -> list[str]:
        """Return the addresses of a host.

        Raises ForbiddenTargetError: one of them is forbidden. Raises OSError: there are none.
        """
        if not self.allow_private and _is_local_name(_normalized(host), self._own_name):
            raise ForbiddenTargetError(_FORBIDDEN_TEXT)
        found = await self._look_up(host)
        for address in found:
            self.check_address(address)
        return found

    def check_address(self, address: str) -> None:
        """Check an address; called for each connection.

        Raises ForbiddenTargetError: a webhook may not reach the address.
        """
        if self.allow_private:
            return
        if (
            ip_address(address) in self._own_addresses
            or not addresses.is_public(address)
            or addresses.is_local(address)
        ):
            raise ForbiddenTargetError(_FORBIDDEN_TEXT)


async def check(
    url: str, *, allow_private: bool, public_url: str | None = None, look_up: name_lookup.LookUp = name_lookup.look_up
) -> None:
    """Check the URL of a webhook.

    A name that can't be resolved is accepted: its record may be published after the webhook is created, or a name
    server may be down, and nothing is lost, since the guard also checks each delivery. The owner learns of a wrong name
    from the webhook's test call and its deliveries.

    Raises VALIDATION_ERROR of the field `url`: the target is forbidden.
    """
    guard = Guard(allow_private=allow_private, public_url=public_url, look_up=look_up)
    try:
        async with asyncio.timeout(_CHECK_SECONDS):
            host = (await guard.target(url)).raw_host or ""
            if not allow_private:
                await guard.addresses(host)
    except ForbiddenTargetError as error:
        # The path of a webhook's URL is often a secret.
        raise invalid("url", "{why}", value=None, constraint="webhook_target", why=str(error)) from None
    except OSError:  # no such name, or no response in time
        return


def _parsed(text: str, *, plain: bool) -> URL:
    if len(text) > MAX_CHARACTERS:
        raise ForbiddenTargetError(f"url must have at most {MAX_CHARACTERS:,} characters")
    if not text.isascii() or not text.isprintable() or " " in text:
        raise ForbiddenTargetError(
            "url must have printable ASCII characters only: write a name of other letters in its xn-- form, and the rest"
            " with percent signs (RFC 3986)"
        )
    schemes = ("https", "http") if plain else ("https",)
    scheme, _, rest = text.partition("://")
    if scheme.lower() not in schemes:
        way_out = "" if plain else _WAY_OUT
        raise ForbiddenTargetError(f"url must begin with {' or '.join(f'{one}://' for one in schemes)}{way_out}")
    if "@" in re.split(r"[/?#]", rest, maxsplit=1)[0]:
        raise ForbiddenTargetError("url must not have a user name or password; the signature shows who calls")
    if "#" in text:
        raise ForbiddenTargetError("url must not have a fragment (#): it never reaches a receiver")
    form = _FORM.match(text)
    try:
        url = URL(text)
    except ValueError:
        form = None
    if form is None or not _is_host(form["host"].lower()) or url.port == 0:
        raise ForbiddenTargetError(
            "url must name a host: a DNS name, an IPv4 address as four decimal numbers, or an IPv6 address in brackets;"
            " then perhaps a port from 1 to 65535 (https://hooks.example.com/catenary)"
        )
    return url


def _is_host(host: str) -> bool:
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        labels = _normalized(host).split(".")
        named = len(host) <= 253 and all(_LABEL.fullmatch(label) for label in labels)
        return named and not _NUMBER.fullmatch(labels[-1])
    return ("[" in host) == (":" in host)


def _is_local_name(name: str, own_name: str) -> bool:
    """Return whether a name is the server's own, or `localhost` or below it.

    RFC 6761, section 6.3: those are loopback, even if a name server says otherwise.
    """
    return name in ("localhost", own_name) or name.endswith(".localhost")


def _normalized(host: str) -> str:
    """Return a host name in the form for comparison: lower case, without the final dot of the root."""
    return host.lower().removesuffix(".")
