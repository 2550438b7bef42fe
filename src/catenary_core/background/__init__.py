"""Background work: periodic steps, and the handling of unforeseen failures."""
