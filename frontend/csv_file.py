"""Tables as CSV files."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from django.http import HttpResponse

# Spreadsheets run what begins so as a formula, also where it is the name of somebody's folder.
_FORMULAS = ("=", "+", "-", "@", "\t", "\r")


def csv_file(name: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> HttpResponse:
    """The answer that has the browser save `name`.csv. Text that a spreadsheet would run is quoted by '."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(head)
    writer.writerows([_harmless(cell) for cell in row] for row in rows)
    kind = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    return HttpResponse(text.getvalue(), content_type="text/csv; charset=utf-8", headers=kind)


def _harmless(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULAS) else cell
