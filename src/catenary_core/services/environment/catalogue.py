"""The countries and regions that every installation starts with.

Countries and areas are those of ISO 3166-1 (by pycountry); regions and sub-regions those of the "Standard country or
area codes for statistical use" (M49) of the United Nations Statistics Division. M49 assigns no region to Antarctica and
has no entry for Taiwan: their region is null.

See guide/conventions.md, "Catalogues".
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from importlib import resources
from typing import Any

from catenary_core.database.transactions import Transaction
from catenary_core.resources import catalogues
from catenary_core.resources.catalogues import Items, Loaded
from catenary_core.services.environment import queries

M49 = "m49_regions.csv"
"""File name, in the package's data folder, of the M49 regions with their countries."""


async def load_at_first_start(tx: Transaction) -> None:
    """Load the catalogue if the region table never had a row."""
    if not await queries.REGION.any_row(tx):
        await load_catalogue(tx, announce=False)


async def load_catalogue(tx: Transaction, *, announce: bool) -> list[Loaded]:
    """Add the regions and countries that never existed; return the outcome for each kind.

    `announce`: whether each new row writes an event.
    """
    given = _regions()
    regions: Items = {
        (region["code"],): {
            "region_code": region["code"],
            "region_name": region["name"],
            "region_level": int(region["level"]),
        }
        for region in given
    }
    loaded = await catalogues.load(tx, queries.REGION, regions, announce=announce)
    ids = await catalogues.active_ids(tx, queries.REGION, queries.REGION_IDS, list(regions))
    region_ids = {code: ids.get(region["code"]) for region in given for code in region["countries"].split()}
    countries: Items = {(row["country_code"],): row for row in _countries(region_ids)}
    return [loaded, await catalogues.load(tx, queries.COUNTRY, countries, announce=announce)]


def _regions() -> list[dict[str, str]]:
    text = resources.files("catenary_core").joinpath("data", M49).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def _countries(region_ids: dict[str, str | None]) -> Iterator[dict[str, Any]]:
    # Imported here because only loading the catalogue needs it, and the import takes 80 ms.
    import pycountry

    for country in pycountry.countries:
        yield {
            "country_class": "country",
            "country_code": country.alpha_2,
            "country_name": getattr(country, "common_name", country.name),
            "iso_code": country.alpha_3,
            "iso_country_name": country.name,
            "iso_formal_name": getattr(country, "official_name", country.name),
            "region_id": region_ids.get(country.alpha_2),
        }
