"""The edge: HTTP and JSON in front of the gRPC core, made from the descriptors of the protos alone."""
