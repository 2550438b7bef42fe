"""Assets, and the deletion of what belongs to them."""
