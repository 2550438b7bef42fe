"""The options by which a channel to the core connects again after the core was gone."""

from __future__ import annotations

RECONNECTION: tuple[tuple[str, int], ...] = (
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    # No pause, whatever its name says, but how long one attempt may take with its TLS handshake (MIN_CONNECT_TIMEOUT of gRPC's
    # "Connection Backoff Protocol"): in less a busy core is as good as gone.
    ("grpc.min_reconnect_backoff_ms", 10_000),
)
"""Channel options: short pauses, where the default goes up to two minutes, find a core soon after its return."""
