"""Where a webhook may go: what its URL may look like, and which names and addresses stand behind it.

`check` tells people early, when a webhook is made or changed. What keeps a delivery from going elsewhere is the guard,
which is asked again for each connection (`sender.py`): names change after they were checked.
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
_CHECK_SECONDS = 5.0
_OWN_SECONDS = 60.0
_OWN_WAIT_SECONDS = 2.0
# A URL of RFC 3986 with a scheme and an authority without user information; a zone (RFC 6874) is none of ours.
_FORM = re.compile(
    r"(?P<scheme>https?)://(?P<host>\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[0-9]{1,5})?(?=[/?]|$)", re.IGNORECASE
)
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")  # RFC 1123, section 2.1; with the underscore that resolvers take
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")  # URL Standard, "ends in a number": such a host is an IPv4 address
_ELSEWHERE = (
    "url must go to a public address; private, local and reserved ones are refused, and so are this server's own"
)


class ForbiddenTargetError(OSError):
    """A webhook may not go there; its text is for the webhook's owner and tells nothing about our network.

    An OSError, since it is raised in the middle of a connection attempt.
    """


class Guard:
    """What is asked before anything is looked up or dialled. With `allow_private` any address passes, and plain http."""

    def __init__(
        self, *, allow_private: bool, public_url: str | None = None, look_up: name_lookup.LookUp = name_lookup.look_up
    ) -> None:
        """`public_url`: the server's own address for callers, whose name and addresses are refused."""
        self.allow_private = allow_private
        self._look_up = look_up
        self._own_name = _bare(URL(public_url).raw_host or "") if public_url else ""
        self._own_addresses: frozenset[IPv4Address | IPv6Address] = frozenset()
        self._own_until = 0.0
        self._own_turn = asyncio.Lock()

    async def target(self, text: str) -> URL:
        """The URL of a webhook, and with it what is known of ourselves; ForbiddenTargetError unless its form is right."""
        url = _parsed(text, plain=self.allow_private)
        if self._own_name and not self.allow_private:
            async with self._own_turn:
                await self._know_ourselves()
        return url

    async def _know_ourselves(self) -> None:
        """Looks our own name up once a minute. A name server that is slow or down holds nobody up: what was known holds on."""
        if time.monotonic() < self._own_until:
            return
        self._own_until = time.monotonic() + _OWN_SECONDS
        with suppress(OSError):  # TimeoutError is one
            async with asyncio.timeout(_OWN_WAIT_SECONDS):
                self._own_addresses = frozenset(map(ip_address, await self._look_up(self._own_name)))

    async def addresses(self, host: str) -> list[str]:
        """The addresses of a host; ForbiddenTargetError when one of them is forbidden, OSError when there are none."""
        if not self.allow_private and _is_local_name(_bare(host), self._own_name):
            raise ForbiddenTargetError(_ELSEWHERE)
        found = await self._look_up(host)
        for address in found:
            self.pass_address(address)
        return found

    def pass_address(self, address: str) -> None:
        """ForbiddenTargetError for an address that a webhook may not reach; asked for each connection."""
        if self.allow_private:
            return
        if ip_address(address) in self._own_addresses or not addresses.is_public(address) or addresses.is_ours(address):
            raise ForbiddenTargetError(_ELSEWHERE)


async def check(
    url: str, *, allow_private: bool, public_url: str | None = None, look_up: name_lookup.LookUp = name_lookup.look_up
) -> None:
    """VALIDATION_ERROR of the field `url` when a webhook may not go there.

    A name that can't be resolved passes: its record may be published later than the webhook is made, a name server may be
    down, and nothing is lost, since the guard stands at the delivery too. The owner learns of a wrong name from the
    webhook's test call and its deliveries.
    """
    guard = Guard(allow_private=allow_private, public_url=public_url, look_up=look_up)
    try:
        async with asyncio.timeout(_CHECK_SECONDS):
            host = (await guard.target(url)).raw_host or ""
            if not allow_private:
                await guard.addresses(host)
    except ForbiddenTargetError as error:
        raise invalid("url", str(error), constraint="webhook_target") from None
    except OSError:  # no such name, or no answer in time
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
        raise ForbiddenTargetError(f"url must begin with {' or '.join(f'{one}://' for one in schemes)}")
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
        labels = _bare(host).split(".")
        named = len(host) <= 253 and all(_LABEL.fullmatch(label) for label in labels)
        return named and not _NUMBER.fullmatch(labels[-1])
    return ("[" in host) == (":" in host)


def _is_local_name(name: str, own_name: str) -> bool:
    """RFC 6761, section 6.3: `localhost` and everything below it are loopback, whatever a name server says."""
    return name in ("localhost", own_name) or name.endswith(".localhost")


def _bare(host: str) -> str:
    """A host name as names are compared: lower case, without the dot of the root."""
    return host.lower().removesuffix(".")
