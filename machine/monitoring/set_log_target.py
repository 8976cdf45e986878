"""machine.set-log-target: whether, where and how the journal is sent to a log server."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from host.commands.closed import AnyCommand
from host.commands.logs import (
    CheckLogForwarding,
    CheckLogTarget,
    PlaceLogAuthority,
    PlaceLogTarget,
    RemoveLogAuthority,
    RemoveLogTarget,
    RestartLogForwarding,
    StageLogAuthority,
    StageLogTarget,
)
from host.connections.authority import MOST
from host.contents.logs import address_of, host_fault
from host.inventory import Inventory, LogForwarding, LogTarget
from jobs.plan import Plan, Step
from jobs.planning.authority import pasted
from jobs.planning.findings import Findings
from jobs.rights import ADMIN

USUAL_PORTS = {"tcp": 514, "udp": 514, "tls": 6514}  # RFC 5426 and practice; RFC 5425
_WORDS = {"tcp": "TCP", "udp": "UDP", "tls": "TLS"}


class SetLogTarget(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Send the journal to `host` as syslog (RFC 5424), or with `off` nowhere. `port` is the usual one of the
    protocol where it is null; `authority`, for `tls` alone, the PEM text of who signs the certificate."""

    protocol: Literal["off", "tcp", "udp", "tls"]
    host: Annotated[str, Meta(max_length=300)] = ""
    port: int | None = None
    authority: Annotated[str, Meta(max_length=MOST)] = ""


def also_needs(_request: SetLogTarget) -> tuple[str, ...]:
    """An admin's right: the journal says who did what, and it leaves the machine."""
    return (ADMIN,)


def plan(request: SetLogTarget, inventory: Inventory) -> Plan:
    """Raises `Refused` for a server that cannot be one, or where nothing would differ."""
    findings = Findings()
    now = inventory.network.logs
    wanted = _wanted(request, findings)
    findings.refuse_on_error()
    if wanted == now.target and not now.altered and now.active == bool(wanted):
        findings.refuse("nothing-changes", "protocol", "This is how it is already.")
    if now.altered:
        message = "The file that says where the journal goes was changed by hand. It is replaced."
        findings.warning("changed-by-hand", "", message)
    if wanted is not None:
        _warn(wanted, findings)
    return Plan(
        operation="machine.set-log-target",
        steps=(_step(wanted, now),),
        summary=_summary(wanted, now),
        findings=findings.all(),
        claims=("machine:logs",),
    )


def _wanted(request: SetLogTarget, findings: Findings) -> LogTarget | None:
    """None for off, and for what was refused."""
    if request.protocol == "off":
        for field in ("host", "port", "authority"):
            if getattr(request, field):
                findings.error("not-with-off", field, "Leave this out to send the journal nowhere.")
        return None
    host = request.host.strip()
    port = USUAL_PORTS[request.protocol] if request.port is None else request.port
    if fault := host_fault(host):
        findings.error("bad-host", "host", fault)
    elif request.protocol == "tls" and address_of(host) is not None:
        message = "TLS needs the host name that is in the server's certificate, not an address."
        findings.error("no-name", "host", message)
    if not 1 <= port <= 65535:
        findings.error("bad-port", "port", "A port is a number from 1 to 65535.")
    authority = pasted(request.authority, "authority", findings, tls=request.protocol == "tls")
    return LogTarget(protocol=request.protocol, host=host, port=port, authority=authority)


def _warn(wanted: LogTarget, findings: Findings) -> None:
    if wanted.protocol != "tls":
        message = "Messages are not encrypted: whoever listens in the network reads them, and who signed in."
        findings.warning("not-encrypted", "protocol", message)
    if wanted.protocol == "udp":
        findings.info("may-be-lost", "protocol", "By UDP messages get lost without anyone noticing.")


def _step(wanted: LogTarget | None, now: LogForwarding) -> Step:
    had = bool(now.target and now.target.authority) or now.altered
    if wanted is None:
        title = "Send the journal nowhere"
    else:
        title = f"Send the journal to {wanted.host}, port {wanted.port}, by {_WORDS[wanted.protocol]}"
    # What somebody wrote by hand cannot be written again.
    undo = () if now.altered else _commands(now.target, had_authority=bool(wanted and wanted.authority))
    return Step(title=title, commands=_commands(wanted, had_authority=had), undo=undo)


def _commands(target: LogTarget | None, *, had_authority: bool) -> tuple[AnyCommand, ...]:
    """What makes it so, whatever it was before."""
    if target is None:
        return (RemoveLogTarget(), RestartLogForwarding())
    trust: tuple[AnyCommand, ...] = ()
    if target.authority:
        trust = (StageLogAuthority(text=target.authority), PlaceLogAuthority())
    elif had_authority:
        trust = (RemoveLogAuthority(),)
    staged = StageLogTarget(
        protocol=target.protocol, host=target.host, port=target.port, own_authority=bool(target.authority)
    )
    return (*trust, staged, CheckLogTarget(), PlaceLogTarget(), RestartLogForwarding(), CheckLogForwarding())


def _summary(wanted: LogTarget | None, now: LogForwarding) -> str:
    if wanted is None:
        place = f" to {now.target.host}" if now.target else ""
        return f"The journal is no longer sent{place}. What the server has stays there."
    how = "encrypted" if wanted.protocol == "tls" else "not encrypted"
    return (
        f"Everything in the machine's journal is sent to {wanted.host} as it is written, {how}. "
        "What cannot be sent waits in memory, up to 10,000 messages."
    )
