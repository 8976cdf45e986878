"""What plans say first, of every operation: an example of each, for `tests/summaries.txt`.

A module per room has `EXAMPLES`: by the name of the operation functions that return its plan, pure, on an
inventory made by hand. `python -m tests.summaries` writes the file anew.
"""
