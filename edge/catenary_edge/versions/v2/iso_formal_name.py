"""A country has `iso_formal_country_name` instead of `iso_formal_name`.

> | country | iso_formal_country_name | iso_formal_name |
"""

from catenary_edge.versions.change import ENVIRONMENT, VersionChange
from catenary_edge.versions.forms import renamed, request_renamed

_PACKAGE = "catenary.environment.v2"
_NAMES = {"iso_formal_name": "iso_formal_country_name"}

CHANGE = VersionChange(
    surfaces=ENVIRONMENT,
    answers=(renamed(f"{_PACKAGE}.Country", _NAMES),),
    requests=tuple(
        request_renamed(f"{_PACKAGE}.{name}", _NAMES) for name in ("CreateCountryRequest", "UpdateCountryRequest")
    ),
    fields={"iso_formal_name": ("iso_formal_country_name",)},
)
