"""A country has `iso_formal_country_name` for `iso_formal_name`.

> | country | iso_formal_country_name | iso_formal_name |
"""

from catenary.options.v1 import options_pb2
from catenary_edge.versions.change import Change
from catenary_edge.versions.forms import renamed, request_renamed

_PACKAGE = "catenary.environment.v2"
_NAMES = {"iso_formal_name": "iso_formal_country_name"}

CHANGE = Change(
    surfaces=frozenset({options_pb2.SURFACE_ENVIRONMENT}),
    answers=(renamed(f"{_PACKAGE}.Country", _NAMES),),
    requests=tuple(
        request_renamed(f"{_PACKAGE}.{name}", _NAMES) for name in ("CreateCountryRequest", "UpdateCountryRequest")
    ),
    words=((r"\biso_formal_name\b", "iso_formal_country_name"),),
)
