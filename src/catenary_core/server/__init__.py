"""The dispatcher that every call passes, and the gRPC server in front of it."""
