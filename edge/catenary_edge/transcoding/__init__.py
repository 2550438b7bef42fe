"""Transcoding between HTTP/JSON and protobuf, compiled once from the descriptors."""
