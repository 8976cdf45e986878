"""`manage.py configuration list|keep|restore`: copies of the settings, from the machine's own command line.

`put-in-place` is what the unit nasweb-swap runs before the console starts.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from host.base import HostError, HostUnavailable
from jobs import questions, submission, waiting
from jobs.models import Job, State
from jobs.operation import the_host
from jobs.plan import Plan, Refused
from machine.backup import rescue, uploads
from machine.backup.create import COPIES
from machine.backup.create import OPERATION as KEEP
from machine.backup.damaged import WAY_BACK, fault_of
from machine.backup.listing import Copies, CopyAnswer
from machine.backup.replace_database import put_in_place
from machine.backup.restore import OPERATION as RESTORE
from machine.backup.restore import RestoreConfiguration

_TIMEOUT_S = 300.0


def database() -> Path:
    """The file of the console's own."""
    return Path(str(settings.DATABASES["default"]["NAME"]))


class CommandLine:
    """The user of a command line: whoever may run it may change the database anyway."""

    def has_perm(self, _perm: str) -> bool:
        """Always."""
        return True

    def get_username(self) -> str:
        """As the audit log has it."""
        return "command line"


class Command(BaseCommand):
    """The worker has to run: it alone can ask the machine."""

    help = "List the settings backups on the pools, make one now, or restore from one."
    # They open the database, and with a damaged one this is the way back.
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One sub-command for each thing to do."""
        actions = parser.add_subparsers(dest="action", required=True)
        actions.add_parser("list", help="show the settings backups on all imported pools")
        actions.add_parser("keep", help="write a settings backup to all pools now")
        restore = actions.add_parser("restore", help="restore all settings from a backup")
        restore.add_argument("source", help="a pool, or - for a backup on standard input")
        restore.add_argument("--copy", help="its name, as `list` shows it; else the newest")
        restore.add_argument("--name", action="store_true", help="take the machine's name and time zone too")
        restore.add_argument("--yes", action="store_true", help="do it; otherwise only the plan is shown")
        actions.add_parser("put-in-place", help="what the unit nasweb-swap does; nothing where nothing waits")

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises `CommandError` with what to do about it."""
        action = options["action"].replace("-", "_")
        fault = fault_of(database()) if action in {"list", "keep", "restore"} else None
        try:
            if fault is None:
                getattr(self, f"_{action}")(options)
            else:
                self._without_database(action, options, fault)
        except HostUnavailable as error:
            raise CommandError(
                f"The database cannot be used ({fault}), and the machine not asked: {error}"
            ) from None
        except HostError as error:
            raise CommandError(str(error)) from None
        except Refused as refused:
            said = [finding.message for finding in refused.findings]
            if options.get("source", "-") != "-" and any(one.field == "copy" for one in refused.findings):
                said.append("Add --copy with a name that “nasweb configuration list” shows.")
            raise CommandError("\n".join(said)) from None
        except questions.NobodyAnswers as error:
            raise CommandError(f"{error} Is nasweb-worker running?") from None
        except submission.Busy as busy:
            raise CommandError(f"Job {busy.job.pk} has to end first.") from None

    def _list(self, _options: dict[str, Any]) -> None:
        asked = questions.ask(COPIES, {}, CommandLine(), anew=True)
        report: Copies | None = questions.value(COPIES, waiting.answer(asked, timeout_s=60))
        if report is None:
            raise CommandError("The machine did not answer in time. Is nasweb-worker running?")
        self._print(report)

    def _without_database(self, action: str, options: dict[str, Any], fault: str) -> None:
        """Whoever runs this may ask the machine: on an installed one `nasweb` sees to that."""
        host = the_host()
        if action == "keep":
            raise CommandError(f"The database cannot be used ({fault}). {WAY_BACK}")
        if action == "list":
            self._print(rescue.copies(host))
            return
        data: dict[str, Any] = {"name": options["name"], **self._source(options)}
        plan = rescue.plan(host, RestoreConfiguration(**data))
        self._show(plan)
        if not options["yes"]:
            self.stdout.write("Nothing was done. Add --yes to do it.")
            return
        rescue.carry_out(host, plan)
        self.stdout.write("The console restarts with these settings. If nobody can sign in: nasweb setup")

    def _print(self, report: Copies) -> None:
        for pool in report.results:
            if not pool.copies:
                self.stdout.write(f"{pool.pool}\t{pool.problem or 'no copies'}")
            for copy in pool.copies:
                self.stdout.write(f"{pool.pool}\t{copy.name}\t{_words(copy)}")

    def _keep(self, _options: dict[str, Any]) -> None:
        self._wait(submission.submit(KEEP, {}, CommandLine()))

    def _restore(self, options: dict[str, Any]) -> None:
        data = {"name": options["name"], **self._source(options)}
        plan = submission.prepare(RESTORE, data, CommandLine())
        self._show(plan)
        if not options["yes"]:
            self.stdout.write("Nothing was done. Add --yes to do it.")
            return
        self._wait(submission.submit(RESTORE, data, CommandLine(), digest=plan.digest))
        self.stdout.write("The console restarts with these settings.")

    def _source(self, options: dict[str, Any]) -> dict[str, Any]:
        if options["source"] != "-":
            return {"pool": options["source"], "copy": options["copy"]}
        try:
            return {"upload": uploads.take_in(iter(lambda: sys.stdin.buffer.read(1 << 20), b""))}
        except (uploads.BadCopy, uploads.TooLarge) as error:
            raise CommandError(str(error)) from None

    def _put_in_place(self, _options: dict[str, Any]) -> None:
        row = put_in_place(database())
        if row is not None:
            self.stdout.write(row.said)

    def _show(self, plan: Plan) -> None:
        for number, step in enumerate(plan.steps, start=1):
            self.stdout.write(f"{number}. {step.title}")
        for finding in plan.findings:
            self.stdout.write(f"   {finding.message}")

    def _wait(self, job: Job) -> None:
        waiting.job_end(job, timeout_s=_TIMEOUT_S)
        job.refresh_from_db()
        if job.state != State.SUCCEEDED:
            error = job.error or {}
            raise CommandError(f"Job {job.pk} {job.state}. {error.get('detail', '')}".strip())
        self.stdout.write(f"Job {job.pk} has succeeded.")


def _words(copy: CopyAnswer) -> str:
    if copy.problem is not None:
        return copy.problem
    secrets = "with passwords" if copy.secrets else "without passwords"
    newer = "" if copy.fits else ", of a newer release"
    return f"{copy.made_at}\t{copy.host}\tNasweb {copy.version}, {secrets}{newer}"
