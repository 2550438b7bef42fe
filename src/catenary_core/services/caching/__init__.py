"""The caching service: versions that tell edges whether their cached responses are still current."""
