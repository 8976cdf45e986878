"""The page of what files a dataset holds."""
