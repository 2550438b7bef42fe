"""The guide's page for gRPC callers and the example programs that it quotes."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

GUIDE = Path(__file__).resolve().parents[3] / "edge/catenary_edge/pages/guide"
EXAMPLES = GUIDE / "examples"


def blocks(language: str) -> list[str]:
    """Return the page's fenced blocks of a language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", (GUIDE / "grpc.md").read_text(), re.MULTILINE | re.DOTALL)


def example(patch: pytest.MonkeyPatch, name: str) -> ModuleType:
    """Return an example as the module that a program beside it imports."""
    patch.syspath_prepend(str(EXAMPLES))
    return importlib.import_module(name)


def programs() -> Iterator[Path]:
    """Return the examples."""
    return EXAMPLES.glob("*.py")
