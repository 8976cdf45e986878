"""What each page is for, in a few sentences beside its heading."""
