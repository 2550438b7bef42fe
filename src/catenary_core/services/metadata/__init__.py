"""The parameter metadata service: tag types, tags, and the links of tags to the objects that they mark."""
