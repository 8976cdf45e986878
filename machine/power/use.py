"""machine.use: who and what a restart would interrupt now, of what only the worker can read."""

from __future__ import annotations

import msgspec

from host.base import Host, HostError
from host.commands.base import Command
from host.commands.datasets.measuring import ListMeasurements
from host.commands.files import ListRestores
from host.commands.shares.rights import ListRightsRuns
from host.commands.system.power import PowerOrder
from host.inventory.sessions import Session
from host.probe.shares.sessions import read_sessions
from host.probe.system.power import read_power_order
from jobs.models import Job, State
from jobs.operation import UnknownOperation, operation
from jobs.wording import counted

QUESTION = "machine.use"
ORDERS: dict[str, PowerOrder] = {"machine.restart": "restart", "machine.shut-down": "shut down"}
_MOST = 100  # clients that are named
_rows = msgspec.json.Decoder(list[dict[str, str]])


class AskUse(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ask what is going on."""


class ClientUse(msgspec.Struct, frozen=True, kw_only=True):
    """A client of the shares: how many files it has open, and how many of them for writing."""

    who: str
    files: int
    writing: int


class JobUse(msgspec.Struct, frozen=True, kw_only=True):
    """A job that runs. `must_end`: what it changes would be left half done."""

    id: int
    title: str
    by: str
    must_end: bool


class MachineUse(msgspec.Struct, frozen=True, kw_only=True):
    """What would be interrupted.

    `clients` is None where the servers could not be asked; NFSv3 has none that anybody knows of. `ordered` is
    what the machine does within seconds, and `ordered_by` the job that asked for it, as far as it is known.
    """

    clients: tuple[ClientUse, ...] | None = None
    more_clients: int = 0
    jobs: tuple[JobUse, ...] = ()
    restores: int = 0
    rights_runs: int = 0
    measurements: int = 0
    ordered: PowerOrder | None = None
    ordered_by: JobUse | None = None

    @property
    def connected(self) -> int:
        """How many clients there are."""
        return len(self.clients or ()) + self.more_clients


def answer(_request: AskUse, host: Host) -> MachineUse:
    """What could be read: a machine whose shares do not answer may need a restart all the more."""
    sessions, ordered = _sessions(host), _ordered(host)
    newest = Job.objects.filter(operation__in=ORDERS, state=State.SUCCEEDED).first()
    return MachineUse(
        clients=None if sessions is None else tuple(map(_client, sessions[:_MOST])),
        more_clients=max(0, len(sessions or ()) - _MOST),
        jobs=tuple(
            _job(one) for one in Job.objects.filter(state=State.RUNNING).exclude(operation__in=ORDERS)
        ),
        restores=_running(ListRestores(), host),
        rights_runs=_running(ListRightsRuns(), host),
        measurements=_running(ListMeasurements(), host),
        ordered=ordered,
        ordered_by=_job(newest) if ordered and newest and ORDERS[newest.operation] == ordered else None,
    )


def in_words(client: ClientUse) -> str:
    """`anna at 192.168.1.7 (SMB), with 3 open files, 1 being written`."""
    if not client.files:
        return client.who
    writing = f", {client.writing} being written" if client.writing else ""
    return f"{client.who}, with {counted(client.files, 'open file')}{writing}"


def _sessions(host: Host) -> tuple[Session, ...] | None:
    try:
        return read_sessions(host)
    except HostError:
        return None


def _ordered(host: Host) -> PowerOrder | None:
    try:
        return read_power_order(host)
    except HostError:
        return None  # systemd itself refuses the second order


def _running(units: Command, host: Host) -> int:
    try:
        rows = _rows.decode(host.run(units).stdout)
    except (HostError, msgspec.DecodeError):
        return 0
    return sum(row.get("active") in {"active", "activating"} for row in rows)


def _client(session: Session) -> ClientUse:
    protocol = "NFS" if session.protocol == "nfs" else "SMB"
    who = session.person or session.machine
    place = f" at {session.address}" if session.address and session.address != who else ""
    return ClientUse(
        who=f"{who}{place} ({protocol})",
        files=len(session.files) + session.more_files,
        writing=sum(opened.writes for opened in session.files),
    )


def _job(job: Job) -> JobUse:
    try:
        row = operation(job.operation)
    except UnknownOperation:
        return JobUse(id=job.pk, title=job.operation, by=job.submitted_by, must_end=True)
    # A title may name a file, and whoever asks may not read files.
    title = row.title({} if row.names_files else job.request)
    must_end = not row.routine and row.effect_of(job.request) != "harmless"
    return JobUse(id=job.pk, title=title, by=job.submitted_by, must_end=must_end)
