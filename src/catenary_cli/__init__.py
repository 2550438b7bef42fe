"""`catenary …`: the command line, and the only package that knows edge, core and worker together."""
