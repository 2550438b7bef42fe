"""LimitService: the door for edges."""
