"""What mdadm's monitor hands over: where it lies, and what it may say. Needs nothing but Python itself."""

from __future__ import annotations

import re
from pathlib import Path

# In memory and root's alone: mdadm's PROGRAM writes it, the helper reads it.
EVENTS = Path("/run/nasweb-md/events")
# mdadm(8), MONITOR MODE. RebuildNN comes in steps of twenty per cent.
EVENT = re.compile(
    r"DeviceDisappeared|RebuildStarted|Rebuild[0-9]{2}|RebuildFinished|Fail|FailSpare|SpareActive|NewArray"
    r"|DegradedArray|MoveSpare|SparesMissing|TestMessage"
)
ARRAY = re.compile(r"/dev/(?:md/)?([A-Za-z0-9_.:+=@#\-]{1,255})")
UUID = re.compile(r"[0-9a-f:\-]{32,36}")
# A member's path, for MoveSpare an array's, or words: “ mismatches found: 128 (on raid level 1)”.
DETAIL = re.compile(r"[\x20-\x7e]{1,255}")
