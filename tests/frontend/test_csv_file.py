"""A table as a file is read by spreadsheets, which must not run what it says."""

from __future__ import annotations

import csv
import io

import pytest

from frontend.csv_file import csv_file


@pytest.mark.parametrize("name", ['=HYPERLINK("http://a.example")', "+1", "-2", "@SUM(A1)", "\tx", "\r=1"])
def test_what_a_spreadsheet_would_run_is_text(name: str) -> None:
    answer = csv_file("files", ("name", "bytes"), ((name, -3), ("a,b", 4)))
    rows = list(csv.reader(io.StringIO(answer.content.decode(), newline="")))
    assert rows == [["name", "bytes"], [f"'{name}", "-3"], ["a,b", "4"]]
    assert answer.headers["Content-Disposition"] == 'attachment; filename="files.csv"'
