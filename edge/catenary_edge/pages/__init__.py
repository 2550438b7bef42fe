"""What a browser is shown under `/docs`, and the addresses of the OpenAPI documents."""
