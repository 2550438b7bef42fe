"""Puts a core together: the one module of the frame that knows the services."""

from __future__ import annotations
