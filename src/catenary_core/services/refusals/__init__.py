"""RefusalService: refusals that edges report to the audit trail."""
