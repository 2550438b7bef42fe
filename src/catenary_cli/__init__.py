"""`catenary …`: the command line, and the only place that knows edge, core and worker together."""
