"""Access: what a caller may call, and which rows and events a caller may see."""
