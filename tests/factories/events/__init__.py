"""A core with callers of its event log, nodes that order and consume events, and the ledger of the fault test."""
