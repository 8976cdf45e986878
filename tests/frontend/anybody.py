"""Somebody who may do everything, for what only asks for rights."""

from __future__ import annotations


class Anybody:
    """Has every permission there is."""

    def has_perm(self, _perm: str) -> bool:
        return True


ANYBODY = Anybody()
