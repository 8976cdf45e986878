"""Our commands begin at once; what Django checks before a command of its own is checked here."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.core import checks
from django.core.management import get_commands, load_command_class

OURS = sorted((app, name) for name, app in get_commands().items() if (settings.BASE_DIR / app).is_dir())


@pytest.mark.django_db
def test_django_finds_no_fault() -> None:
    assert checks.run_checks() == []


def test_there_are_commands() -> None:
    assert {name for _, name in OURS} == {"configuration", "prepare", "setup", "token"}


@pytest.mark.parametrize(("app", "name"), OURS)
def test_no_command_begins_with_the_checks_of_all_pages(app: str, name: str) -> None:
    """They take longer than the command, and open the database, which may be what has to be replaced."""
    assert load_command_class(app, name).requires_system_checks == ()
