"""The beginning of absolute URLs in responses."""

from __future__ import annotations

from catenary_core.call.call import Call


def base_url(public_url: str | None, call: Call) -> str:
    """Return the public URL of the settings, else the URL at which an edge was called; empty where neither is known."""
    return (public_url or call.metadata.get("catenary-base-url", "")).rstrip("/")
