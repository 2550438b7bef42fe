"""The root keys in the database, encrypted under each valid secret; how the secret changes, and who uses which."""
