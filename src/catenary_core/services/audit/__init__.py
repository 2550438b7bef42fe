"""The audit service: lists of the entries of the audit trail."""
