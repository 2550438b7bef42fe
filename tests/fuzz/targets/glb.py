"""The reading of a stored GLB, and the files that are made of it."""

from __future__ import annotations

import io
import warnings

from catenary_core.services.evaluations import glb_conversion


def run(data: bytes) -> str:
    """Convert one file to both formats: each result is at most some fifty times its source."""
    for form, most in (("stl", 50), ("3mf", 200)):
        out = io.BytesIO()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of numpy, about numbers that are no longer finite
                glb_conversion.write(data, form, out)
        except ValueError:
            return "refused"
        assert len(out.getvalue()) <= most * len(data) + 2_000
    return "taken"
