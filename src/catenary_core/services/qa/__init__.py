"""The QA service: records of quality assurance and their types."""
