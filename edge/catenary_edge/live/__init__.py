"""Live data over HTTP: the WebSocket `/ws` and server-sent events."""
