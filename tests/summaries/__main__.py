"""Writes `tests/summaries.txt`; read its difference as an owner would."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nasweb.settings_test")
django.setup()

from tests.summaries.collected import FILE, text  # noqa: E402 (the operations need settings)

FILE.write_text(text())
