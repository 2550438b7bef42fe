"""The rules that core, edge and worker share: JSON, enum names, timestamps, steps, spans, message types.

Kept empty: the zygote of the worker imports `catenary_wire.steps` in a root that has neither protobuf nor orjson.
"""
