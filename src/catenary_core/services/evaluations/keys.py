"""The keys of stored results, made where they don't hold up the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import Any

from catenary_core.services.evaluations import rules


async def of_values(
    project_id: str, model_version_id: str, runtime_digest: str, values: Mapping[str, Any], *, geometry: bool = True
) -> bytes:
    """Return the key of canonical values as `rules.cache_key` does, in a thread where they have a table.

    The cells of a table take long to hash, other values less than a change of threads.
    """
    key = partial(rules.cache_key, project_id, model_version_id, runtime_digest, values, geometry=geometry)
    return await asyncio.to_thread(key) if any(map(_is_table, values.values())) else key()


def _is_table(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)
