"""A line in each of our files that says what the rest of it was when we wrote it.

So a change by hand is distinguished from one of ours without any memory of what was written: a job that was
cut off in its middle, or a console that was installed anew, raises no false alarm.
"""

from __future__ import annotations

import hashlib
import re

_WORDS = "Written by Nasweb from its own records: a change by hand is found, shown, and written over."
_LINE = re.compile(r"(?:#|<!--) " + re.escape(_WORDS) + r" SHA-256 ([0-9a-f]{64})(?: -->)?\n")


def sealed(text: str) -> str:
    """`text` with the line before it; an XML file keeps its declaration in front."""
    digest = hashlib.sha256(text.encode()).hexdigest()
    if not text.startswith("<?xml"):
        return f"# {_WORDS} SHA-256 {digest}\n{text}"
    declaration, _, rest = text.partition("\n")
    return f"{declaration}\n<!-- {_WORDS} SHA-256 {digest} -->\n{rest}"


def is_ours(text: str) -> bool:
    """Whether a file is unchanged since we wrote it."""
    found = _LINE.search(text)
    return found is not None and sealed(text.replace(found[0], "", 1)) == text
