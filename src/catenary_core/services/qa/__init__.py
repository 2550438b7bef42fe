"""The QA service: quality assurance records and their types."""
