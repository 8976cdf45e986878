"""What other machines may do on a simulated one: rights on datasets, and the files that sshd and our program
read.
"""

from __future__ import annotations

from host.base import Result
from host.commands.peering.peers import (
    RIGHTS,
    AcceptPeerKey,
    AllowPeer,
    DisallowPeer,
    ForgetPeer,
    OwnHostKeys,
    ShowAllowed,
    SshServerState,
    StartSshServer,
    WritePeerRights,
)
from host.contents.peers import USER
from host.simulated.datasets.lifecycle import find
from host.simulated.handlers import always, on
from host.simulated.refusal import done
from host.simulated.replication.neighbours import host_key
from host.simulated.state import Machine

_WIDTH = 70


def _allow(machine: Machine, command: AllowPeer) -> None:
    _, dataset = find(machine, command.dataset)
    has = machine.allowed.get(str(dataset.guid), [])
    machine.allowed[str(dataset.guid)] = sorted({*has, *RIGHTS[command.what]})


def _disallow(machine: Machine, command: DisallowPeer) -> None:
    _, dataset = find(machine, command.dataset)
    machine.allowed.pop(str(dataset.guid), None)


def _show(machine: Machine, command: ShowAllowed) -> str:
    pool, _ = find(machine, command.dataset)
    names = [command.dataset]
    while "/" in names[-1]:
        names.append(names[-1].rpartition("/")[0])
    blocks = ((name, machine.allowed.get(str(pool.datasets[name].guid))) for name in names)
    return "".join(
        f"{f'---- Permissions on {name} ':-<{_WIDTH}}\n"
        f"Local+Descendent permissions:\n\tuser {USER} {','.join(rights)}\n"
        for name, rights in blocks
        if rights
    )


def _write(machine: Machine, command: WritePeerRights | AcceptPeerKey) -> None:
    machine.files[command.argv()[-1]] = command.input()


def _forget(machine: Machine, command: ForgetPeer) -> None:
    for path in command.argv()[2:]:
        machine.files.pop(path, None)


def _host_keys(machine: Machine) -> Result:
    if machine.ssh_server != "active":
        return Result(exit=1)
    return done(f"{host_key(machine)} root@{machine.hostname}\n")


def _server(machine: Machine) -> Result:
    if machine.ssh_server == "active":
        return done("active\ninactive\n")
    return Result(exit=3, stdout="inactive\ninactive\n")


def _start(machine: Machine) -> Result:
    machine.ssh_server = "active"
    return done(stderr="Synchronizing state of ssh.service with SysV service script with /usr/lib/systemd.\n")


HANDLERS = (
    on(AllowPeer, _allow)
    | on(DisallowPeer, _disallow)
    | on(ShowAllowed, _show)
    | on(WritePeerRights, _write)
    | on(AcceptPeerKey, _write)
    | on(ForgetPeer, _forget)
    | always(OwnHostKeys, _host_keys)
    | always(SshServerState, _server)
    | always(StartSshServer, _start)
)
