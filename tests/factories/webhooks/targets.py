"""The addresses forbidden to webhooks: the list of the attacks, as URLs.

The port is a canary's, which listens on every address of the machine. What the machine can reach says how it is shown
that a URL leads there without the guard.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Literal

import psutil

PORT = 48_123
"""Stands in the table for the canary's port."""


@dataclass(frozen=True)
class Row:
    """A URL, and how it reaches this machine when nothing holds it back.

    `open`: by our own sender with the guard off. `naive`: by a client that leaves the host to the C library (or, for other
    letters, to IDNA). None: not at all, since it stands for other machines' networks or is no URL; then only the refusal
    is tested.
    """

    name: str
    url: str
    reached: Literal["open", "naive"] | None = None

    def at(self, port: int) -> str:
        return self.url.replace(str(PORT), str(port))

    @property
    def host(self) -> str:
        """The host as it is written."""
        authority = self.url.split("://", 1)[1].split("/")[0].rpartition("@")[2]
        return authority.removesuffix(f":{PORT}").strip("[]")


def _at(name: str, host: str, reached: Literal["open", "naive"] | None = None) -> Row:
    return Row(name, f"https://{host}:{PORT}/hook", reached)


def reaches(host: str) -> bool:
    """Return whether a name or an address, as it is written, leads to this machine; not every machine has IPv6."""
    try:
        infos = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)
        with socket.socket(infos[0][0], socket.SOCK_STREAM) as probe:
            probe.bind(infos[0][4])
    except OSError:
        return False
    return True


def ours() -> Iterator[Row]:
    """Return the names and addresses that this machine has now.

    They are no test's parameters: two looks may find different interfaces, and xdist ends a run whose workers collect
    different tests.
    """
    if reaches(socket.gethostname()):
        yield _at("this machine's name", socket.gethostname(), "open")
    for device, found in psutil.net_if_addrs().items():
        for number, one in enumerate(found):
            if one.family in (socket.AF_INET, socket.AF_INET6) and "%" not in one.address:
                host = f"[{one.address}]" if one.family == socket.AF_INET6 else one.address
                if not ip_address(one.address).is_loopback:
                    yield _at(f"interface {device} {number}", host, "open")


ROWS: tuple[Row, ...] = (
    # Schemes, and what isn't a URL.
    Row("scheme http", f"http://127.0.0.1:{PORT}/hook", "open"),
    Row("scheme ftp", f"ftp://127.0.0.1:{PORT}/hook"),
    Row("scheme file", "file:///etc/passwd"),
    Row("scheme gopher", f"gopher://127.0.0.1:{PORT}/_POST"),
    Row("scheme ws", f"ws://127.0.0.1:{PORT}/"),
    Row("scheme javascript", "javascript:alert(1)"),
    Row("scheme data", "data:text/plain,x"),
    Row("no scheme", f"//127.0.0.1:{PORT}/hook"),
    Row("no slashes", f"https:127.0.0.1:{PORT}/hook"),
    Row("no host", "https:///hook"),
    Row("empty", ""),
    Row("port 0", "https://example.com:0/hook"),
    Row("port 65536", "https://example.com:65536/hook"),
    Row("fragment", "https://example.com/hook#@127.0.0.1/"),
    # User information.
    Row("userinfo", f"https://user:password@127.0.0.1:{PORT}/hook", "naive"),
    Row("userinfo empty", f"https://@127.0.0.1:{PORT}/hook", "naive"),
    Row("userinfo that looks like a host", f"https://example.com@127.0.0.1:{PORT}/hook", "naive"),
    Row("userinfo with a backslash", f"https://example.com\\@127.0.0.1:{PORT}/hook"),
    # Length, CR and LF, letters.
    Row("over 2,048 characters", f"https://example.com/{'a' * 2030}"),
    Row("CR/LF in the path", "https://example.com/hook\r\nX-Injected: yes"),
    Row("LF in the host", f"https://127.0.0.1\n:{PORT}/hook"),
    Row("tab in the host", f"https://127.0\t.0.1:{PORT}/hook"),
    Row("NUL", "https://example.com/\0"),
    Row("space in the host", f"https://127.0.0.1 :{PORT}/hook"),
    _at("circled digits", "①②⑦.⓪.⓪.①", "naive"),
    _at("full-width dots", "127。0。0。1", "naive"),
    _at("percent signs in the host", "127%2e0%2e0%2e1"),
    _at("trailing dot", "127.0.0.1."),
    _at("trailing dot of a name", "localhost."),
    _at("upper case", "LOCALHOST", "open"),
    Row("upper case scheme", f"HTTPS://LocalHost:{PORT}/hook", "open"),
    # IPv4, in every spelling of inet_aton.
    _at("127.0.0.1", "127.0.0.1", "open"),
    _at("127.255.255.254", "127.255.255.254", "open"),
    _at("127.1", "127.1", "naive"),
    _at("127.0.1", "127.0.1", "naive"),
    _at("2130706433", "2130706433", "naive"),
    _at("0x7f000001", "0x7f000001", "naive"),
    _at("0x7f.0x0.0x0.0x1", "0x7f.0x0.0x0.0x1", "naive"),
    _at("0177.0.0.1", "0177.0.0.1", "naive"),
    _at("017700000001", "017700000001", "naive"),
    _at("0.0.0.0", "0.0.0.0", "open"),
    _at("0", "0", "naive"),
    _at("localhost", "localhost", "open"),
    _at("a name under localhost", "hooks.localhost"),
    # Every network that isn't the Internet.
    _at("10/8", "10.0.0.1"),
    _at("10/8, last", "10.255.255.255"),
    _at("172.16/12", "172.16.0.1"),
    _at("172.16/12, last", "172.31.255.255"),
    _at("192.168/16", "192.168.0.1"),
    _at("169.254.169.254", "169.254.169.254"),
    _at("168.63.129.16", "168.63.129.16"),
    _at("100.64/10", "100.64.0.1"),
    _at("100.100.100.200", "100.100.100.200"),
    _at("192.0.0/24", "192.0.0.8"),
    _at("192.0.0.192", "192.0.0.192"),
    _at("192.0.2/24", "192.0.2.1"),
    _at("192.88.99/24", "192.88.99.1"),
    _at("198.18/15", "198.18.0.1"),
    _at("198.18/15, last", "198.19.255.255"),
    _at("198.51.100/24", "198.51.100.1"),
    _at("203.0.113/24", "203.0.113.1"),
    _at("224/4", "224.0.0.1"),
    _at("240/4", "240.0.0.1"),
    _at("broadcast", "255.255.255.255"),
    # IPv6.
    _at("::", "[::]", "open"),
    _at("::1", "[::1]", "open"),
    _at("::1 in full", "[0:0:0:0:0:0:0:1]", "open"),
    _at("mapped", "[::ffff:127.0.0.1]", "open"),
    _at("mapped in hexadecimal", "[::ffff:7f00:1]", "open"),
    _at("mapped metadata", "[::ffff:169.254.169.254]"),
    _at("mapped and translated", "[::ffff:0:127.0.0.1]"),
    _at("compatible", "[::127.0.0.1]"),
    _at("NAT64", "[64:ff9b::127.0.0.1]"),
    _at("NAT64 metadata", "[64:ff9b::a9fe:a9fe]"),
    _at("NAT64 of one's own", "[64:ff9b:1::7f00:1]"),
    _at("6to4", "[2002:7f00:1::1]"),
    _at("Teredo", "[2001:0:7f00:1::1]"),
    _at("ORCHID", "[2001:20::1]"),
    _at("documentation", "[2001:db8::1]"),
    _at("documentation of 2024", "[3fff::1]"),
    _at("discard only", "[100::1]"),
    _at("fc00::/7", "[fc00::1]"),
    _at("fd00::/8", "[fd00:ec2::254]"),
    _at("fe80::/10", "[fe80::1]"),
    _at("fec0::/10", "[fec0::1]"),
    _at("ff02::/16", "[ff02::1]"),
    _at("not allotted", "[4000::1]"),
    _at("zone", "[fe80::1%25lo]"),
    _at("zone, raw", "[fe80::1%lo]"),
    _at("zone of loopback", "[::1%25lo]"),
    _at("IPv4 in brackets", "[127.0.0.1]"),
    _at("IPv6 without brackets", "::1"),
)

PUBLIC = (
    "8.8.8.8",
    "1.1.1.1",
    "100.63.255.255",
    "100.128.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "2606:4700:4700::1111",
    "2001:4860:4860::8888",
    "2001:200::1",
    "2003::1",
    "2a00::1",
)
"""Addresses of the Internet, with the neighbours of what is refused."""
