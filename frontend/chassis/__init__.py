"""The case as a picture, and how it is described."""
