"""Routes that exist on this machine alone, such as the demo's sign-in (the method option `local_only`).

Without TLS and trusted proxies the server takes callers on loopback only (`origin.Gate`). What is left to refuse are pages
of other sites, which a browser on this machine may show.
"""

from __future__ import annotations

from aiohttp.web import BaseRequest

from catenary_edge.errors.problem import refusal
from catenary_edge.http.hosts import is_loopback_host
from catenary_edge.settings import EdgeSettings


def check(request: BaseRequest, settings: EdgeSettings) -> None:
    """Check that a request comes from this machine, and if from a page, from one of this server.

    Args:
        request: The request.
        settings: The settings of the edge.

    Raises:
        Problem: 404 where callers may be elsewhere, or at a host that is not loopback's; 403 for another origin.
    """
    is_local = settings.tls_cert is None and not settings.trusted_proxies
    host = request.headers.get("Host", "")
    if not is_local or not is_loopback_host(host):
        raise refusal("NOT_FOUND", "This route exists only on the machine of a server without TLS and proxies.")
    if any(origin != f"http://{host}" for origin in request.headers.getall("Origin", [])):
        raise refusal("PERMISSION_DENIED", "Pages of this origin may not sign in here; open the page of this server.")
