"""The reading of a stored GLB, and the files that are made of it."""

from __future__ import annotations

import io
import warnings
from unittest import mock

from catenary_core.services.evaluations import glb_conversion
from catenary_core.services.evaluations.drawing import picture

_SMALL = mock.patch.multiple(picture, WIDTH=16, HEIGHT=12, _MARGIN=1)
"""All sizes of pictures go the same way, and this one is drawn a hundred times as fast."""


def run(data: bytes) -> str:
    """Convert one file to each format: each result is at most some fifty times its source, and a picture has its size."""
    for form, most in (("stl", 50), ("3mf", 200), ("png", 1)):
        out = io.BytesIO()
        try:
            with _SMALL, warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of numpy, about numbers that are no longer finite
                glb_conversion.write(data, form, out)
        except ValueError:
            return "refused"
        assert len(out.getvalue()) <= most * len(data) + 2_000
    return "taken"
