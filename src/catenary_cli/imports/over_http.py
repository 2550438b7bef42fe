"""The command `import` with an address: a file to a server, which imports it in one transaction."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlencode

import aiohttp

from catenary_cli import show
from catenary_cli.imports import files
from catenary_cli.imports.counts import print_counts
from catenary_cli.remote.api import Access, Api

_JSON, _CSV = "application/json", "text/csv"
_TIMEOUT = aiohttp.ClientTimeout(total=3_600, sock_connect=30)
"""The largest file takes minutes."""


async def send_file(access: Access, file: Path, kind: str | None, *, dry_run: bool) -> None:
    """Have a server import a file, and print the counts of its rows; `dry_run` changes nothing.

    Raises:
        ApiError: The server refuses; the file's faults are among its sentences.
        FileError: The file has a wrong type or size, or its kind is unknown.
    """
    loaded = files.load(file, kind)
    if loaded.kind is None and not loaded.is_json:
        raise files.kind_needed(file.name)
    query = {**({"kind": loaded.kind} if loaded.kind else {}), **({"dry_run": "true"} if dry_run else {})}
    async with Api(access, timeout=_TIMEOUT) as api:
        with show.progress(f"Importing {file.name}"):
            answer = await api.post_content(
                f"import?{urlencode(query)}", loaded.content, _JSON if loaded.is_json else _CSV
            )
    print_counts(
        file.name,
        [(one["kind"], one["added"], one["revised"], one["kept"]) for one in answer["counts"]],
        dry_run=dry_run,
    )
