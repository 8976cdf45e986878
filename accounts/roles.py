"""What each role may do. A scope is `<area>:read` or `<area>:write`."""

from __future__ import annotations

from typing import Protocol

from django.db import models

AREAS = ("system", "disks", "pools", "files", "shares", "jobs", "alerts", "users")
# metrics: what `/metrics` answers to Prometheus; nothing is written there.
SCOPES = (*(f"{area}:{act}" for area in AREAS for act in ("read", "write")), "metrics:read")
DESTROY = "destroy"  # no scope of tokens: a right of the role alone


class Role(models.TextChoices):
    """What an account is for."""

    VIEWER = "viewer"  # sees all of the machine, but not what is in people's files
    OPERATOR = "operator"  # does all but users and destroying
    ADMIN = "admin"


# People's files are no state of the machine: whoever may read that may not read them.
_READS = frozenset(scope for scope in SCOPES if scope.endswith(":read")) - {"files:read"}
_RIGHTS: dict[str, frozenset[str]] = {
    Role.VIEWER: _READS,
    Role.OPERATOR: frozenset(SCOPES) - {"users:write"},
    Role.ADMIN: frozenset((*SCOPES, DESTROY)),
}


class _MayOrMayNot(Protocol):
    def has_perm(self, perm: str) -> bool: ...


def rights(role: str) -> frozenset[str]:
    """Everything a role may do; nothing for an unknown one."""
    return _RIGHTS.get(role, frozenset())


def may(user: _MayOrMayNot, scope: str) -> bool:
    """Whether `user` (or the token it acts through) may do what `scope` names."""
    return user.has_perm(scope)


def may_destroy(user: _MayOrMayNot) -> bool:
    """Whether `user` may carry out plans that destroy something."""
    return user.has_perm(DESTROY)
