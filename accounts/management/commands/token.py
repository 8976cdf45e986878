"""`manage.py token create|list|revoke`: tokens for scripts, made on the machine itself."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError
from django.utils import timezone

from accounts import tokens
from accounts.models import Token, User
from accounts.roles import SCOPES, Role
from jobs.audit import record


class Command(BaseCommand):
    """A token made here belongs to the first admin."""

    help = "Make, list or revoke tokens. `create` prints the token and nothing else on standard output."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One sub-command for each thing to do."""
        actions = parser.add_subparsers(dest="action", required=True)
        create = actions.add_parser("create", help="make a token and print it")
        create.add_argument("name", help="what it is for")
        create.add_argument(
            "--scope",
            action="append",
            required=True,
            choices=SCOPES,
            metavar="SCOPE",
            help=f"what it may do; repeatable. One of {', '.join(SCOPES)}",
        )
        create.add_argument("--days", type=int, help="end its life after so many days")
        actions.add_parser("list", help="show all tokens")
        revoke = actions.add_parser("revoke", help="end a token")
        revoke.add_argument("id", type=int, help="its number in the list")

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises `CommandError` with what to do about it."""
        try:
            getattr(self, f"_{options['action']}")(options)
        except OperationalError as error:
            raise CommandError(
                f"The database cannot be used ({error}). Run `manage.py setup` first."
            ) from None

    def _create(self, options: dict[str, Any]) -> None:
        owner = User.objects.filter(role=Role.ADMIN, is_active=True).order_by("pk").first()
        if owner is None:
            raise CommandError("There is no admin account yet. Run `manage.py setup` first.")
        name = options["name"].strip()
        if not name or len(name) > 100:
            raise CommandError("The name must have 1 to 100 characters.")
        days = options["days"]
        if days is not None and not 1 <= days <= 36500:
            raise CommandError("--days must be between 1 and 36500.")
        expires = None if days is None else timezone.now() + timedelta(days=days)
        token, plaintext = tokens.create(name=name, scopes=options["scope"], user=owner, expires=expires)
        record(owner.username, "token.create", name, token=token.pk, scopes=token.scopes, by="command line")
        self.stdout.write(plaintext)

    def _list(self, options: dict[str, Any]) -> None:
        for token in Token.objects.select_related("owner"):
            state = "usable" if token.usable else "revoked" if token.revoked else "ended"
            used = f"{token.last_used:%Y-%m-%d %H:%M} UTC" if token.last_used else "never"
            line = f"{token.pk}\t{token.name}\t{token.owner.username}\t{state}\tlast used: {used}\t"
            self.stdout.write(line + " ".join(token.scopes))

    def _revoke(self, options: dict[str, Any]) -> None:
        token = Token.objects.filter(pk=options["id"], revoked=None).select_related("owner").first()
        if token is None:
            raise CommandError(f"There is no token {options['id']} that could be revoked.")
        tokens.revoke(token)
        record(token.owner.username, "token.revoke", token.name, token=token.pk, by="command line")
