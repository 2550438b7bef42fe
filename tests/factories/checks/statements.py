"""The statements of a module, for checks that need no look into expressions."""

from __future__ import annotations

import ast
from collections.abc import Iterator

_WITH_STATEMENTS = ast.stmt | ast.excepthandler | ast.match_case


def statements(node: ast.AST) -> Iterator[ast.stmt]:
    """Yield all statements below a node. `ast.walk` yields expressions too, and takes several times as long."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child
        if isinstance(child, _WITH_STATEMENTS):
            yield from statements(child)
