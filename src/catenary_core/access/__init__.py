"""Access: the methods a caller may call, and the rows and events a caller may see."""
