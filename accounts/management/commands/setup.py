"""`manage.py setup`: makes the first account, or prints how it can be made."""

from __future__ import annotations

import socket
import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from accounts import screen, setup
from accounts.models import User


class Command(BaseCommand):
    """All ways work only while there is no account."""

    help = "Print the one-time link for the first account, or make that account unattended."
    requires_system_checks = ()
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Without arguments the link is printed."""
        parser.add_argument("--username", help="make the first account under this name")
        parser.add_argument(
            "--password-stdin", action="store_true", help="read its password from standard input"
        )
        parser.add_argument(
            "--screen", action="store_true", help="put a new code on the machine's screen; print none"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises `CommandError` with what to do about it."""
        if User._meta.db_table not in connection.introspection.table_names():
            call_command("migrate", verbosity=0, interactive=False)
        if options["screen"]:
            self._greet()
            return
        if options["username"] is None and not options["password_stdin"]:
            self._print_link()
            return
        if options["username"] is None or not options["password_stdin"]:
            raise CommandError("Give --username and --password-stdin together, or neither for a link.")
        try:
            user = setup.create_first(options["username"], sys.stdin.read().rstrip("\r\n"))
        except setup.SetupRefused as refused:
            raise CommandError(str(refused)) from None
        self.stdout.write(f"The account {user.get_username()} was made. Sign in with it at {_address()}/")

    def _greet(self) -> None:
        """What is printed here is kept in the journal: no code."""
        if screen.there() is None:
            raise CommandError("NASWEB_SCREEN does not say where the screen's code is kept.")
        if not setup.needed():
            screen.clear()
            self.stdout.write(f"Sign in at {_address()}/")
            return
        screen.show(setup.issue_for_screen())
        if not setup.needed():  # made meanwhile: the code was removed before it was shown
            screen.clear()
        self.stdout.write(
            "The screen shows a new code for the first account. `nasweb setup` prints a link instead."
        )

    def _print_link(self) -> None:
        if not setup.needed():
            self.stdout.write(f"Sign in at {_address()}/")
            return
        self.stdout.write(f"Make the first account (once, within a day): {_address()}/setup/{setup.issue()}/")
        if screen.there() is None:
            self.stdout.write(f"Or type this code at {_address()}/  {setup.issue_for_screen()}")


def _address() -> str:
    if settings.HTTPS:
        return f"https://{socket.gethostname()}"
    everywhere = settings.NASWEB_BIND in {"0.0.0.0", "::", ""}  # noqa: S104
    name = socket.gethostname() if everywhere else settings.NASWEB_BIND
    return f"http://{name}:{settings.NASWEB_PORT}"
