"""The countries and regions that every installation starts with (contract, section 5).

Countries and areas are those of ISO 3166-1 (by pycountry), regions and sub-regions those of the "Standard country or area
codes for statistical use" (M49) of the United Nations Statistics Division. M49 puts Antarctica into no region, and has no
entry for Taiwan: their region is null.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from importlib import resources
from typing import Any

from catenary_core.db import Transaction
from catenary_core.services.environment import queries

M49 = "m49_regions.csv"


async def load_at_first_start(tx: Transaction) -> None:
    """Loads the catalogue into tables that never had a row; what was deleted since stays deleted."""
    if not await queries.REGION.any_row(tx):
        await load_catalogue(tx)


async def load_catalogue(tx: Transaction) -> int:
    """Adds the regions and countries whose code no active one has; how many were added. Again, it adds none."""
    regions = _regions()
    rows = [
        {
            "region_code": region["code"],
            "region_name": region["name"],
            "region_level": int(region["level"]),
        }
        for region in regions
    ]
    added = await queries.REGION.add_missing(tx, rows)
    ids = {row["region_code"]: row["region_id"] for row in await tx.all(queries.REGION_IDS)}
    region_ids = {code: ids[region["code"]] for region in regions for code in region["countries"].split()}
    return added + await queries.COUNTRY.add_missing(tx, list(_countries(region_ids)))


def _regions() -> list[dict[str, str]]:
    text = resources.files("catenary_core").joinpath("data", M49).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def _countries(region_ids: dict[str, str]) -> Iterator[dict[str, Any]]:
    # Only a first start needs it; it takes 80 ms to import.
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
