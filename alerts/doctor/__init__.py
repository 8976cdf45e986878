"""Examines everything that is known of the machine, and says what is wrong, why it matters and what to do.

Each module holds the checks of one theme and names the sources of its rules. A check is pure.
"""
