"""The page of a dataset that is written anew."""
