"""Makes files for people, and removes what of them was never sent to its end."""
