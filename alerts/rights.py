"""Who may read the health report, and so have it sent."""

from __future__ import annotations

from jobs.rights import User

READS = ("system:read", "disks:read", "pools:read", "shares:read", "jobs:read", "alerts:read")


def lacking(user: User) -> tuple[str, ...]:
    """What `user` would need to read the health report."""
    return tuple(scope for scope in READS if not user.has_perm(scope))
