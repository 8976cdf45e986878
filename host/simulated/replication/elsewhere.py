"""Commands that a simulated machine has carried out over a connection: by itself, where the connection leads
back to it. Of other machines nothing is known but how they let in.
"""

from __future__ import annotations

from collections.abc import Callable

from host.base import Result
from host.commands.base import Command
from host.commands.replication.over import Over
from host.contents import peers
from host.pairing.probed import Probed
from host.programs.peer.__main__ import REFUSED
from host.programs.peer.rights import Rights, read_rights
from host.programs.peer.rules import Forbidden, check
from host.simulated.replication.neighbours import is_itself, own_key, reached
from host.simulated.state import Machine

_LOST = 255  # ssh's own exit status


def carried_out(machine: Machine, over: Over, run: Callable[[Command], Result]) -> Result:
    """What comes of the command; `run` carries it out here."""
    found = reached(machine, over.connection)
    if isinstance(found, Probed):
        return Result(exit=_LOST, stderr=f"{found.said}\n")
    if not is_itself(machine, over.connection):
        return Result(exit=_LOST, stderr="Connection closed by remote host\n")
    try:
        check(over.command, _rights(machine, own_key(machine, over.connection)))
    except Forbidden as error:
        return Result(exit=REFUSED, stderr=f"nasweb: {error}\n")
    return run(over.command)


def _rights(machine: Machine, key: str) -> Rights:
    """Of the paired machine that has that key. Raises `Forbidden`."""
    for path, text in machine.files.items():
        if path.startswith(f"{peers.FOLDER}/") and path.endswith(".keys") and key in text:
            rights = machine.files.get(f"{path.removesuffix('.keys')}.json")
            if rights is not None:
                return read_rights(rights)
    raise Forbidden("This machine is not paired any more.")
