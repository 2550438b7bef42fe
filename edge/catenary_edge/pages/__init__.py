"""The pages for people under `/docs`, and the addresses of the OpenAPI documents."""
