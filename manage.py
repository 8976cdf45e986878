#!/usr/bin/env python
"""Runs management commands."""

from __future__ import annotations

import os
import sys

from django.core.management import execute_from_command_line
from django.db import DatabaseError

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nasweb.settings")
    try:
        execute_from_command_line(sys.argv)
    except DatabaseError as error:
        from nasweb.database import database_trouble  # its modules need the settings

        if (why := database_trouble(error)) is None:
            raise
        raise SystemExit(why) from None
