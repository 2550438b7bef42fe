"""The outcome of an import, done or tried out."""

from __future__ import annotations

from collections.abc import Sequence

from catenary_cli import show


def print_counts(name: str, counts: Sequence[tuple[str, int, int, int]], *, dry_run: bool) -> None:
    """Print how many rows of each kind were added, revised and kept."""
    title = f"{name}: nothing was changed; an import would do this" if dry_run else f"{name} is imported"
    show.counts(title, ("Rows", "Added", "Revised", "Kept"), [(kind, numbers) for kind, *numbers in counts])
