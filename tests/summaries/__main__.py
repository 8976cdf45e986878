"""Writes `tests/summaries.txt`; read its difference as an owner would."""

from tests.summaries.collected import FILE, text

FILE.write_text(text())
