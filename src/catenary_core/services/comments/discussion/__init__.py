"""Comments of platform projects: the discussion of a project and of its variants, over rows of the comments service."""
