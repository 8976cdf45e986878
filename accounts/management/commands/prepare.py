"""`manage.py prepare`: all that comes before web and worker in `make run`, in one process.

A process for each of these would load the same modules again, which is most of what each takes.
"""

from __future__ import annotations

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.migrations.executor import MigrationExecutor


class Command(BaseCommand):
    """Done again, it changes nothing."""

    help = "Collect static files, migrate, put a restored database in place, print where to sign in."
    # They load every page and view, and the web server does that next.
    requires_system_checks = ()
    requires_migrations_checks = False

    def handle(self, *args: Any, **options: Any) -> None:
        """One after the other, as their own commands do."""
        call_command("collectstatic", verbosity=0, interactive=False)
        executor = MigrationExecutor(connections[DEFAULT_DB_ALIAS])
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            call_command("migrate", verbosity=0, interactive=False)
        call_command("configuration", "put-in-place")
        connections.close_all()  # another file may have its name now
        call_command("setup")
