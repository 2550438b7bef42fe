"""The life of a version, and the response headers about its end.

`Deprecation` is RFC 9745 (a date of RFC 9651, section 3.3.7), `Sunset` is RFC 8594, the link relation
`successor-version` is RFC 5829, section 3.3. The dates are options of the protos.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from email.utils import format_datetime
from urllib.parse import quote

from catenary.options.v1 import options_pb2
from catenary_edge import surfaces
from catenary_edge.errors.problem import refusal
from catenary_edge.transcoding.routes import Route
from catenary_edge.versions.view import OlderRoute


def _surfaces() -> dict[int, options_pb2.SurfaceOptions]:
    values = options_pb2.Surface.DESCRIPTOR.values
    return {value.number: value.GetOptions().Extensions[options_pb2.surface] for value in values if value.number}


SURFACES: Mapping[int, options_pb2.SurfaceOptions] = _surfaces()
"""The options of every surface."""
STABLE = "/v1/"
"""The start of paths of the one surface with a beta, in its stable version."""
_PLAIN = "/%:@!$&'()*+,;=-._~"
"""Characters of a path left unescaped between < and > (RFC 3986, section 3.3)."""
_OLDER = {(kind, older.version): older.deprecation for kind, options in SURFACES.items() for older in options.older}


def deprecation_of(route: Route) -> options_pb2.Deprecation | None:
    """Return the dates of a route's version or method; None for one without an end."""
    if isinstance(route, OlderRoute):
        return _OLDER[surfaces.kind_of(route.template.text)]
    options = route.rpc.options
    return options.deprecation if options.stage == options_pb2.STAGE_DEPRECATED else None


def headers_of(route: Route | None, path: str) -> dict[str, str]:
    """Return the headers about stage and life for any response to a request, also for refusals.

    `path` is the request's path as sent.
    """
    kind, version = surfaces.kind_of(path)
    found = {"X-API-Stage": "beta"} if version == SURFACES[kind].beta else {}
    dates = None if route is None else deprecation_of(route)
    if route is not None and dates is not None:
        found["Deprecation"] = f"@{int(midnight(dates.deprecated_on).timestamp())}"
        found["Sunset"] = format_datetime(midnight(dates.sunset_on), usegmt=True)
        found["Link"] = f'<{_successor(route, dates, path)}>; rel="successor-version"'
    return found


def now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


def check_alive(route: Route, moment: datetime) -> None:
    """Refuse a route past its sunset.

    Raises:
        Problem: 410 GONE.
    """
    dates = deprecation_of(route)
    if dates is not None and moment >= midnight(dates.sunset_on):
        raise refusal("GONE", f"This version ended on {dates.sunset_on}; use {dates.successor} instead.")


def relocated(location: str, path: str) -> str:
    """Move an address from the core into the requested version: the beta has every path of the stable version."""
    kind, version = surfaces.kind_of(path)
    return moved(location, version) if version == SURFACES[kind].beta else location


def moved(path: str, beta: str) -> str:
    """Return a stable path of the surface in its beta version; other paths as they are."""
    return f"/{beta}/{path.removeprefix(STABLE)}" if path.startswith(STABLE) else path


def in_stable(path: str, beta: str) -> str:
    """Return a path of the surface's beta version in its stable version; other paths as they are."""
    return STABLE + path.removeprefix(f"/{beta}/") if path.startswith(f"/{beta}/") else path


def _successor(route: Route, dates: options_pb2.Deprecation, path: str) -> str:
    """Return the same resource's path in the next version, or that version's document if its path differs."""
    if not isinstance(route, OlderRoute):
        return dates.successor
    kind, version = surfaces.kind_of(route.template.text)
    base = f"/{surfaces.name_of(kind)}/{version}/"
    if route.view.draft.same_path_in_next and path.startswith(base):
        return f"{dates.successor}/{quote(path.removeprefix(base), safe=_PLAIN, errors='replace')}"
    return f"/openapi{dates.successor}.json"


def midnight(day: str) -> datetime:
    """Return the first moment of a day (YYYY-MM-DD) in UTC."""
    found = date.fromisoformat(day)
    return datetime(found.year, found.month, found.day, tzinfo=UTC)
