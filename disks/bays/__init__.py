"""The case: its layout, what was taught of its bays, and which disk sits where."""
