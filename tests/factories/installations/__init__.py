"""Running parts of Catenary, in this process or in processes of their own, and the certificates that they use."""
