"""Sessions of people without an identity provider: refresh tokens that rotate, and links for other devices."""
