"""Files of projects, which evaluations give to models."""
