"""useradd(8), gpasswd(1) and their like on a simulated machine: people and groups of the shares."""

from __future__ import annotations

from host.accounts import refusal
from host.base import Result
from host.commands.base import Command
from host.commands.shares.accounts import (
    AddGroup,
    AddPerson,
    ChangePerson,
    JoinGroup,
    LeaveGroup,
    RemoveGroup,
    RemovePerson,
    SetMembers,
)
from host.inventory.people import EVERYBODY_GID
from host.probe.shares.people import account_rows
from host.simulated.accounts import GroupState, PersonState
from host.simulated.handlers import on
from host.simulated.refusal import Refusal, done
from host.simulated.state import Machine

_PASSWD = (
    "root:x:0:0:root:/root:/bin/bash\n"  # noqa: S105
    "games:x:5:60:games:/usr/games:/usr/sbin/nologin\n"
    "backup:x:34:34:backup:/var/backups:/usr/sbin/nologin\n"
    "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n"
)
_NAME_TAKEN, _NUMBER_TAKEN, _UNKNOWN, _GPASSWD = 9, 4, 6, 3


def passwd(machine: Machine) -> str:
    """/etc/passwd."""
    return _PASSWD + "".join(
        f"{name}:x:{one.uid}:{EVERYBODY_GID}:{one.full_name}:/nonexistent:/usr/sbin/nologin\n"
        for name, one in machine.people.items()
    )


def group(machine: Machine) -> str:
    """/etc/group."""
    return "".join(f"{name}:x:{one.gid}:{','.join(one.members)}\n" for name, one in machine.groups.items())


def _add_person(machine: Machine, command: AddPerson) -> Result:
    unknown = [name for name in command.groups if name not in _gids(machine)]
    if unknown:
        said = (f"useradd: group '{name}' does not exist\n" for name in unknown)
        raise Refusal("".join(said), exit_status=_UNKNOWN)
    if command.name in _uids(machine):
        raise Refusal(f"useradd: user '{command.name}' already exists\n", exit_status=_NAME_TAKEN)
    if command.uid in _uids(machine).values():
        raise Refusal(f"useradd: UID {command.uid} is not unique\n", exit_status=_NUMBER_TAKEN)
    machine.people[command.name] = PersonState(uid=command.uid, full_name=command.full_name)
    for name in command.groups:
        machine.groups[name].members.append(command.name)
    return done()


def _change_person(machine: Machine, command: ChangePerson) -> Result:
    if command.name not in machine.people:
        raise Refusal(f"usermod: user '{command.name}' does not exist\n", exit_status=_UNKNOWN)
    machine.people[command.name].full_name = command.full_name
    return done()


def _remove_person(machine: Machine, command: RemovePerson) -> Result:
    name = command.name
    if name not in machine.people:
        raise Refusal(f"userdel: user '{name}' does not exist\n", exit_status=_UNKNOWN)
    del machine.people[name]
    for one in machine.groups.values():
        one.members = [member for member in one.members if member != name]
    return done()


def _add_group(machine: Machine, command: AddGroup) -> Result:
    if command.name in _gids(machine):
        raise Refusal(f"groupadd: group '{command.name}' already exists\n", exit_status=_NAME_TAKEN)
    if command.gid in _gids(machine).values():
        raise Refusal(f"groupadd: GID '{command.gid}' already exists\n", exit_status=_NUMBER_TAKEN)
    machine.groups[command.name] = GroupState(gid=command.gid)
    return done()


def _remove_group(machine: Machine, command: RemoveGroup) -> Result:
    if command.name not in machine.groups:
        raise Refusal(f"groupdel: group '{command.name}' does not exist\n", exit_status=_UNKNOWN)
    del machine.groups[command.name]
    return done()


def _join(machine: Machine, command: JoinGroup) -> Result:
    _check_people(machine, command.person)
    members = _group(machine, command.group).members
    if command.person not in members:
        members.append(command.person)
    return done(f"Adding user {command.person} to group {command.group}\n")


def _leave(machine: Machine, command: LeaveGroup) -> Result:
    members = _group(machine, command.group).members
    report = f"Removing user {command.person} from group {command.group}\n"
    if command.person not in members:
        said = f"gpasswd: user '{command.person}' is not a member of '{command.group}'\n"
        raise Refusal(said, exit_status=_GPASSWD, stdout=report)
    members.remove(command.person)
    return done(report)


def _set_members(machine: Machine, command: SetMembers) -> Result:
    _check_people(machine, *command.members)
    _group(machine, command.group).members = list(command.members)
    return done()


def _check_people(machine: Machine, *names: str) -> None:
    known = _uids(machine)
    for name in names:
        if name not in known:
            raise Refusal(f"gpasswd: user '{name}' does not exist\n", exit_status=_GPASSWD)


def _group(machine: Machine, name: str) -> GroupState:
    if name not in machine.groups:
        said = f"gpasswd: group '{name}' does not exist in /etc/group\n"
        raise Refusal(said, exit_status=_GPASSWD)
    return machine.groups[name]


def _uids(machine: Machine) -> dict[str, int]:
    return {row.name: row.number for row in account_rows(passwd(machine))}


def _gids(machine: Machine) -> dict[str, int]:
    return {row.name: row.number for row in account_rows(group(machine))}


def check(machine: Machine, command: Command) -> None:
    """As root does before it starts a command. Raises `Refusal`."""
    # Most commands ask for no number: the files are read by those that do.
    if why := refusal(command, uid=lambda name: _uids(machine)[name], gid=lambda name: _gids(machine)[name]):
        raise Refusal(why, exit_status=1)


HANDLERS = (
    on(AddPerson, _add_person)
    | on(ChangePerson, _change_person)
    | on(RemovePerson, _remove_person)
    | on(AddGroup, _add_group)
    | on(RemoveGroup, _remove_group)
    | on(JoinGroup, _join)
    | on(LeaveGroup, _leave)
    | on(SetMembers, _set_members)
)
