"""All served versions: the current ones, the older ones derived from them, and the beta of the platform."""

from __future__ import annotations

from functools import cache

from catenary_edge.transcoding import routes
from catenary_edge.transcoding.routes import RouteTable
from catenary_edge.versions import beta, chain


@cache
def build(org: str = "org") -> RouteTable:
    """Build the route table of all versions, once a process; `org` is the company's slug in the names of some older fields.

    Raises:
        BindingError: A binding or a version is invalid.
    """
    current = routes.build().routes
    return RouteTable((*beta.routes_of(current), *chain.older_routes(current, org)))
