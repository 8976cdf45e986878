"""smbpasswd(8) and pdbedit(8) on a simulated machine: what Samba knows of people.

What they say is from source3/utils/smbpasswd.c, source3/utils/pdbedit.c and source3/passdb/passdb.c of 4.22.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import UTC, datetime

import msgspec

from host.base import Result
from host.commands.base import Command
from host.commands.shares.accounts import (
    DisableInSamba,
    EnableInSamba,
    RemoveFromSamba,
    SambaAccounts,
    SambaMark,
    SetSambaExpiry,
    SetSambaPassword,
)
from host.simulated.accounts import SambaState
from host.simulated.handlers import always, fed, on
from host.simulated.refusal import Refusal, done
from host.simulated.state import Machine

_LONGEST_LINE_BYTES = 255
_ROUNDS = 1000  # few, as tests make many: nothing real is protected by them


def listing(machine: Machine) -> Result:
    """`pdbedit --list --verbose`."""
    if machine.samba_missing:
        return Result(exit=127, stderr="env: ‘pdbedit’: No such file or directory\n")
    return done("".join(f"---------------\n{_record(machine, name)}" for name in machine.known_to_samba))


def mark(machine: Machine) -> Result:
    """`find /var/lib/samba/private/passdb.tdb -printf '%i %C@'`; the time follows from the content."""
    if machine.samba_missing:
        missing = "find: ‘/var/lib/samba/private/passdb.tdb’: No such file or directory\n"
        return Result(exit=1, stderr=missing)
    content = int.from_bytes(
        hashlib.blake2b(msgspec.json.encode(machine.known_to_samba), digest_size=6).digest()
    )
    return done(f"131 1795000000.{content % 10**10:010}\n")


def knows(machine: Machine, name: str, password: str) -> bool:
    """Whether it is the password of somebody who may sign in now."""
    account = machine.known_to_samba.get(name)
    if account is None or account.disabled or account.hash != _hash(password.encode(), account.salt):
        return False
    return not account.kickoff or machine.now() <= account.kickoff


def _set_password(machine: Machine, command: SetSambaPassword, given: bytes) -> Result:
    _check_installed(machine, command)
    first, _, again = given.removesuffix(b"\n").partition(b"\n")
    if first != again or len(first) > _LONGEST_LINE_BYTES:
        raise Refusal("Mismatch - password unchanged.\nUnable to get new password.\n")
    salt = secrets.token_hex(8)
    account = machine.known_to_samba.get(command.name)
    if account is None:
        if command.name not in machine.people:
            raise Refusal(f"Failed to add entry for user {command.name}.\n")
        machine.known_to_samba[command.name] = SambaState(salt=salt, hash=_hash(first, salt))
        return done(f"Added user {command.name}.\n")
    account.salt, account.hash, account.disabled = salt, _hash(first, salt), False
    return done()


def _enable(machine: Machine, command: EnableInSamba) -> str:
    said = f"Failed to find user {command.name} in passdb backend.\n"
    _known(machine, command, command.name, said).disabled = False
    return f"Enabled user {command.name}.\n"


def _disable(machine: Machine, command: DisableInSamba) -> str:
    _known(machine, command, command.name, _no_entry(command.name)).disabled = True
    return f"Disabled user {command.name}.\n"


def _delete(machine: Machine, command: RemoveFromSamba) -> str:
    _known(machine, command, command.name, _no_entry(command.name))
    del machine.known_to_samba[command.name]
    return f"Deleted user {command.name}.\n"


def _set_expiry(machine: Machine, command: SetSambaExpiry) -> str:
    account = _known(machine, command, command.name, "Username not found!\n", exit_status=255)
    account.kickoff = int(command.argv()[-1].partition("=")[2])
    return _record(machine, command.name)


def _known(machine: Machine, command: Command, name: str, said: str, *, exit_status: int = 1) -> SambaState:
    _check_installed(machine, command)
    if name not in machine.known_to_samba:
        raise Refusal(said, exit_status=exit_status)
    return machine.known_to_samba[name]


def _check_installed(machine: Machine, command: Command) -> None:
    if machine.samba_missing:
        raise Refusal(f"{command.argv()[0]}: command not found\n", exit_status=127)


def _no_entry(name: str) -> str:
    return f"Failed to find entry for user {name}.\n"


def _record(machine: Machine, name: str) -> str:
    account = machine.known_to_samba[name]
    person = machine.people.get(name)
    nas = machine.hostname
    sid = "S-1-5-21-1418571391-4211936841-2890172551"
    latest = _moment(2_085_923_199)
    fields = {
        "Unix username": name,
        "NT username": "",
        "Account Flags": f"[{'DU' if account.disabled else 'U':<11}]",
        "User SID": f"{sid}-{1000 + list(machine.known_to_samba).index(name)}",
        "Primary Group SID": f"{sid}-513",
        "Full Name": person.full_name if person else "",
        "Home Directory": rf"\\{nas.upper()}\{name}",
        "HomeDir Drive": "",
        "Logon Script": "",
        "Profile Path": rf"\\{nas.upper()}\{name}\profile",
        "Domain": nas.upper(),
        "Account desc": "",
        "Workstations": "",
        "Munged dial": "",
        "Logon time": "0",
        "Logoff time": latest,
        "Kickoff time": _moment(account.kickoff),
        "Password last set": _moment(int(machine.booted)),
        "Password can change": _moment(int(machine.booted)),
        "Password must change": "never",
        "Last bad password   ": "0",
        "Bad password count  ": "0",
        "Logon hours         ": "F" * 42,
    }
    return "".join(f"{f'{field}:':<22}{value}\n" for field, value in fields.items())


def _moment(seconds: int) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%a, %d %b %Y %H:%M:%S} UTC" if seconds else "0"


def _hash(password: bytes, salt: str) -> str:
    return hashlib.pbkdf2_hmac("sha256", password, salt.encode(), _ROUNDS).hex()[:32].upper()


def lines(machine: Machine) -> str:
    """`pdbedit --list --smbpasswd-style`. The simulator's salt stands where nobody has a hash any more."""
    found = []
    for name, account in machine.known_to_samba.items():
        person = machine.people.get(name)
        flags = f"[{'DU' if account.disabled else 'U':<11}]"
        uid = person.uid if person else -1
        found.append(
            f"{name}:{uid}:{account.salt:X<32}:{account.hash}:{flags}:LCT-{int(machine.booted):08X}:\n"
        )
    return "".join(found)


def take_lines(machine: Machine, text: str) -> str:
    """`pdbedit --import` of such lines, and what it says."""
    said = []
    for line in text.splitlines():
        name, _, salt, hashed, flags = line.split(":")[:5]
        if name not in machine.people:
            said.append(f"Importing account for {name}...nope\n")
            continue
        known = machine.known_to_samba.get(name) or SambaState(salt="", hash="")
        known.salt, known.hash, known.disabled = salt.rstrip("X"), hashed, "D" in flags
        machine.known_to_samba[name] = known
        said.append(f"Importing account for {name}...ok\n")
    return "".join(said)


HANDLERS = (
    always(SambaAccounts, listing)
    | always(SambaMark, mark)
    | fed(SetSambaPassword, _set_password)
    | on(EnableInSamba, _enable)
    | on(DisableInSamba, _disable)
    | on(RemoveFromSamba, _delete)
    | on(SetSambaExpiry, _set_expiry)
)
