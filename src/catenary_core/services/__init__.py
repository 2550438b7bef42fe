"""The services, one folder each: tables, queries, messages, servicer and, where there is one, rules."""
