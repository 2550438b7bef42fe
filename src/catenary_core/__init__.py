"""The core: gRPC services over PostgreSQL, and the packages that they share."""
