"""Other machines: how this one reaches them, and what they may do here."""
