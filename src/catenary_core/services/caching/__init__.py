"""The caching service: tells edges whether the answers that they keep still hold."""
