"""Tokens and other credentials: issuing, verifying and revoking them."""
