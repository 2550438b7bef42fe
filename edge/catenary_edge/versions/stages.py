"""How long a version is served, and what its answers say about that.

`Deprecation` is RFC 9745 (a date of RFC 9651, section 3.3.7), `Sunset` and its end RFC 8594, the link relation
`successor-version` RFC 5829, section 3.3. The dates stand in the options of the protos.
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
_PLAIN = "/%:@!$&'()*+,;=-._~"
"""What of a path may stand between < and > as it was sent (RFC 3986, section 3.3)."""
_OLDER = {(kind, older.version): older.deprecation for kind, options in SURFACES.items() for older in options.older}


def deprecation_of(route: Route) -> options_pb2.Deprecation | None:
    """The dates of a route's version, or of its method; None for one that stays."""
    if isinstance(route, OlderRoute):
        return _OLDER[surfaces.kind_of(route.template.text)]
    options = route.rpc.options
    return options.deprecation if options.stage == options_pb2.STAGE_DEPRECATED else None


def headers_of(route: Route | None, path: str) -> dict[str, str]:
    """The headers about stage and life of every answer to a request, refusals too. `path` is the request's, as it was sent."""
    kind, version = surfaces.kind_of(path)
    found = {"X-API-Stage": "beta"} if version == SURFACES[kind].beta else {}
    dates = None if route is None else deprecation_of(route)
    if route is not None and dates is not None:
        found["Deprecation"] = f"@{int(midnight(dates.deprecated_on).timestamp())}"
        found["Sunset"] = format_datetime(midnight(dates.sunset_on), usegmt=True)
        found["Link"] = f'<{_successor(route, dates, path)}>; rel="successor-version"'
    return found


def now() -> datetime:
    """The time."""
    return datetime.now(UTC)


def check_alive(route: Route, moment: datetime) -> None:
    """Raises 410 GONE for a route whose sunset has come."""
    dates = deprecation_of(route)
    if dates is not None and moment >= midnight(dates.sunset_on):
        raise refusal("GONE", f"This version ended on {dates.sunset_on}; use {dates.successor} instead.")


def relocated(location: str, path: str) -> str:
    """An address of the core's within the version that was asked: the beta has every path of the stable version."""
    kind, version = surfaces.kind_of(path)
    if version == SURFACES[kind].beta and location.startswith("/v1/"):
        return f"/{version}/{location.removeprefix('/v1/')}"
    return location


def _successor(route: Route, dates: options_pb2.Deprecation, path: str) -> str:
    """The same resource in the next version, or that version's document where its path differs."""
    if not isinstance(route, OlderRoute):
        return dates.successor
    kind, version = surfaces.kind_of(route.template.text)
    base = f"/{surfaces.name_of(kind)}/{version}/"
    if route.view.draft.kept and path.startswith(base):
        return f"{dates.successor}/{quote(path.removeprefix(base), safe=_PLAIN, errors='replace')}"
    return f"/openapi{dates.successor}.json"


def midnight(day: str) -> datetime:
    """The first moment of a day (YYYY-MM-DD) in UTC."""
    found = date.fromisoformat(day)
    return datetime(found.year, found.month, found.day, tzinfo=UTC)
