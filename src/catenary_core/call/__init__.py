"""One call: its method, identity, validation, preconditions, errors and messages."""
