"""What is read of tables that are mostly empty."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from jobs.rows import Rows
from shares.models import NfsShareRow, SharingRow, SmbShareRow

pytestmark = pytest.mark.django_db


def _read() -> tuple[list[str], int, int]:
    """The names of the SMB shares, how many other rows there are, and the queries that it took."""
    with CaptureQueriesContext(connection) as asked:
        rows = Rows(SmbShareRow, NfsShareRow, SharingRow)
        names = [row.name for row in rows.of(SmbShareRow)]
        others = len(rows.of(NfsShareRow)) + len(rows.of(SharingRow))
    return names, others, len(asked)


def test_empty_tables_cost_one_query() -> None:
    assert _read() == ([], 0, 1)


def test_the_rows_of_a_table_come_in_its_order_and_the_empty_ones_cost_nothing() -> None:
    for number, name in enumerate(("photos", "films")):
        SmbShareRow.objects.create(name=name, guid=str(number), dataset=f"tank/{name}", value={})
    assert _read() == (["films", "photos"], 0, 2)
