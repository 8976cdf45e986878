"""The tests of a restore open a second database, which Django's test runner refuses otherwise."""

from __future__ import annotations

import pytest
from django.db.backends.base.base import BaseDatabaseWrapper

from machine.backup.replace_database import ALIAS


@pytest.fixture
def second_database(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the restored database be opened, and no other."""
    guarded = BaseDatabaseWrapper.ensure_connection

    def ensure(self: BaseDatabaseWrapper) -> None:
        if self.alias != ALIAS:
            guarded(self)
        elif self.connection is None:
            self.connect()

    monkeypatch.setattr(BaseDatabaseWrapper, "ensure_connection", ensure)
