"""Who may read the health report, and so have it sent."""

from __future__ import annotations

READS = ("system:read", "disks:read", "pools:read", "shares:read", "jobs:read", "alerts:read")
