"""The core: gRPC services over PostgreSQL, and the frame that they stand in."""
