"""The OpenAPI 3.1 documents, made from the route table and the comments of the protos."""
