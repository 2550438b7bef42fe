"""The dispatcher, which every call passes, and the gRPC server in front of it."""
