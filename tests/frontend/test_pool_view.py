"""What the pages say of a pool in a few words."""

from __future__ import annotations

from typing import Any

import pytest

from frontend.pools.view import scan_words
from host.inventory import Scan
from tests import made


@pytest.mark.parametrize(
    ("ended", "words"),
    [
        ({}, "last scrub on 2026-11-21, no errors"),
        ({"repaired_bytes": 31_247_565}, "last scrub on 2026-11-21, 29.8 MiB repaired"),
        ({"errors": 1}, "last scrub on 2026-11-21, 1 error"),
        ({"errors": 2, "repaired_bytes": 4096}, "last scrub on 2026-11-21, 2 errors, 4.00 KiB repaired"),
        # What a resilver writes is its work, and no repair.
        ({"function": "RESILVER", "repaired_bytes": 4096}, "last resilver on 2026-11-21, no errors"),
        ({"state": "CANCELED", "repaired_bytes": 4096}, "last scrub was stopped"),
    ],
)
def test_the_last_scan_is_told_with_what_it_found(ended: dict[str, Any], words: str) -> None:
    values = {"function": "SCRUB", "state": "FINISHED", "finished": "2026-11-21T12:00:00Z"} | ended
    assert scan_words(made.pool(scan=Scan(**values))) == words
