"""Plans: sets of parameter values that are laid out in advance."""
