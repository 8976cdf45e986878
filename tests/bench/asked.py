"""How many commands one job asks of the machine, on a simulated one: in an emulated guest each costs 0.06 s.

Runs in a process of its own: Django is set up once in a process.
"""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING, Any

from tests.bench.timing import show

if TYPE_CHECKING:
    from accounts.models import User
    from host.base import Host, Result
    from host.commands.base import Command


class Counting:
    """A machine that counts what it is asked."""

    kind = "simulated"

    def __init__(self, host: Host) -> None:
        self._host = host
        self.count = 0

    def run(self, command: Command) -> Result:
        """As the machine itself does. Raises what that raises."""
        self.count += 1
        return self._host.run(command)


def measure() -> None:
    """Set up a console in a temporary folder, and count."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(
            DATA_DIR=folder, MACHINE="home", DJANGO_SETTINGS_MODULE="nasweb.settings", NASWEB_LOG="ERROR"
        )
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        _count()


def _count() -> None:
    from accounts.models import User
    from accounts.roles import Role
    from jobs import cache, engine
    from jobs.operation import the_host

    host = Counting(the_host())
    user = User.objects.create_user("bench", role=Role.ADMIN)
    engine.refresh(host)
    inventory = cache.current()
    assert inventory is not None
    disks = [disk.id for disk in inventory.disks if disk.free][:6]
    vdevs = [{"role": "data", "layout": "raidz2", "disks": disks}]
    asked_by(host, user, "pool.create", {"name": "tank", "vdevs": vdevs})
    asked_by(host, user, "dataset.create", {"name": "tank/first"})
    asked_by(host, user, "group.create", {"name": "family"})
    for operation, data in (
        ("snapshot.create", {"datasets": ["tank/first"], "name": "now"}),
        ("dataset.create", {"name": "tank/second"}),
        ("smb.create", {"name": "Family", "dataset": "tank/first", "write": ["@family"]}),
    ):
        asked, own = asked_by(host, user, operation, data)
        show(f"commands of a job: {operation}", asked - own, aim=20, unit="", how=f"beside {own} of its own")


def asked_by(host: Counting, user: User, operation: str, data: dict[str, Any]) -> tuple[int, int]:
    """What a job asks of the machine from its plan to its end, and how much of that is its own steps."""
    from jobs import engine
    from jobs.models import Job
    from jobs.submission import prepare, submit

    job = submit(operation, data, user, digest=prepare(operation, data, user).digest)
    host.count = 0
    engine.run(job.pk, host)
    ended = Job.objects.get(pk=job.pk)
    assert ended.state == "succeeded", ended.error
    return host.count, sum(len(step.commands) for step in ended.steps.all())


if __name__ == "__main__":
    measure()
