"""Files below /etc that the console writes, as tee, cp, mv and grep treat them."""

from __future__ import annotations

from host.base import Result
from host.commands.shares.sharing import (
    EXPORT_TABLE,
    PATHS,
    SMB_CONF,
    KeepFile,
    PlaceFile,
    PutBackFile,
    StageFile,
)
from host.lines import lines
from host.simulated.refusal import Refusal, done
from host.simulated.state import Machine

DEBIAN = "[global]\n   workgroup = WORKGROUP\n   include = /etc/samba/nasweb.conf\n"


def read_all(machine: Machine) -> Result:
    """`SharingFiles`."""
    texts = {path: machine.files.get(path, "") for path in PATHS.values()}
    texts |= {SMB_CONF: machine.files.get(SMB_CONF, DEBIAN), EXPORT_TABLE: "\n".join(machine.exported)}
    report = [f"{path}\0{line}\n" for path, text in texts.items() for line in lines(text)]
    return done("".join(report))


def stage(machine: Machine, command: StageFile) -> Result:
    """tee writes, and repeats what it wrote."""
    machine.files[f"{PATHS[command.file]}.next"] = command.text
    return done(command.text)


def keep(machine: Machine, command: KeepFile) -> Result:
    """cp, or tee of nothing."""
    path = PATHS[command.file]
    if not command.missing and path not in machine.files:
        raise Refusal(f"cp: cannot stat '{path}': No such file or directory\n")
    machine.files[f"{path}.before"] = "" if command.missing else machine.files[path]
    return done()


def place(machine: Machine, command: PlaceFile) -> Result:
    """mv of what was staged."""
    path = PATHS[command.file]
    return _move(machine, f"{path}.next", path)


def put_back(machine: Machine, command: PutBackFile) -> Result:
    """mv of what was kept."""
    path = PATHS[command.file]
    return _move(machine, f"{path}.before", path)


def _move(machine: Machine, source: str, target: str) -> Result:
    if source not in machine.files:
        raise Refusal(f"mv: cannot stat '{source}': No such file or directory\n")
    machine.files[target] = machine.files.pop(source)
    return done()
