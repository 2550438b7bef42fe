"""Studies of a project's model: their rows, their points, and the leader that drives them."""
