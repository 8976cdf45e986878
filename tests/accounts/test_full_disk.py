"""A full disk under the database: whoever reads goes on reading."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import OperationalError, connection
from rest_framework.test import APIClient

from accounts.models import Token


class FullDisk:
    """Lets SQLite write nothing, and say what it says on a full disk."""

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith(("INSERT", "UPDATE", "DELETE")):
            raise OperationalError("database or disk is full")
        return execute(sql, params, many, context)


def test_a_token_reads_although_its_use_cannot_be_noted(
    api: APIClient, caplog: pytest.LogCaptureFixture
) -> None:
    with connection.execute_wrapper(FullDisk()):
        assert api.get("/api/v1/disks/").status_code == 200
    assert Token.objects.get().last_used is None
    assert "use of a token not noted" in caplog.text
