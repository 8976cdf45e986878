"""The code that a machine's screen shows: short enough to be typed, too long to be guessed.

Twelve characters of an alphabet of 24 are 24^12 = 3.6e16 codes (55 bits). `guesses` allows 1,200 a minute
at most, which are 1.7 million in a day: together they hit with a probability below 5e-11. Even with no limit
at all a thousand guesses a second would stay below 3e-9 for the day that a code lives.
"""

from __future__ import annotations

import secrets

# Without letters that look alike on a screen across the room: 0 O, 1 I L, 2 Z, 5 S, 8 B, U beside V.
ALPHABET = "ACDEFGHJKMNPQRTVWXY34679"
GROUPS, GROUP = 3, 4
LENGTH = GROUPS * GROUP


def make() -> str:
    """A new code, as it is shown: `K7QM-3XRT-9HPA`."""
    return "-".join("".join(secrets.choice(ALPHABET) for _ in range(GROUP)) for _ in range(GROUPS))


def plain(typed: str) -> str:
    """What somebody typed, as it is compared: capital letters without hyphens and blanks."""
    return "".join(typed[: 4 * LENGTH].split()).replace("-", "").upper()
