"""Clients of a simulated machine's shares: what smbstatus and the kernel's NFS server report of them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec

from host.base import Result
from host.commands.shares.sessions import NFS_CLIENTS, EndSmbd, ExpireNfsClient, NfsClients, SambaStatus
from host.simulated.handlers import always, on
from host.simulated.refusal import Refusal, done
from host.simulated.runs import Client
from host.simulated.state import Machine

_NO_CLIENT = "tee: {path}: No such file or directory\n"
_NO_PROCESS = "Can't find pid: {process} in messaging context\n"
_FIRST_PROCESS = 2000


def connect(machine: Machine, **report: Any) -> str:
    """Let a client come, with the fields of `Client`; the id of its session."""
    protocol = report.get("protocol", "smb")
    machine.connected += 1
    number = _FIRST_PROCESS + machine.connected if protocol == "smb" else machine.connected
    session = machine.number() % (1 << 32) if protocol == "smb" else number
    usual = {
        "number": number,
        "session": session,
        "protocol": protocol,
        "address": "10.0.2.2",
        "name": report.get("address", "10.0.2.2") if protocol == "smb" else "Linux NFSv4.2 client",
        "since": machine.now(),
    }
    client = Client(**(usual | report))
    machine.clients.append(client)
    return f"{protocol}-{client.session}"


def disconnect(machine: Machine, session: str) -> None:
    """Let a client go by itself."""
    machine.clients = [one for one in machine.clients if f"{one.protocol}-{one.session}" != session]


def end_smbd(machine: Machine, command: EndSmbd) -> Result:
    """smbcontrol: the process ends, and with it all its sessions."""
    left = [one for one in machine.clients if one.protocol != "smb" or one.number != command.process]
    if len(left) == len(machine.clients):
        raise Refusal(_NO_PROCESS.format(process=command.process))
    machine.clients = left
    return done()


def expire(machine: Machine, command: ExpireNfsClient) -> Result:
    """tee into a client's ctl."""
    left = [one for one in machine.clients if one.protocol != "nfs" or one.number != command.client]
    if len(left) == len(machine.clients):
        raise Refusal(_NO_CLIENT.format(path=f"{NFS_CLIENTS}/{command.client}/ctl"))
    machine.clients = left
    return done("expire\n")


def smbstatus(machine: Machine) -> str:
    """`smbstatus --json`."""
    clients = [one for one in machine.clients if one.protocol == "smb"]
    report = {
        "timestamp": _moment(machine.now()),
        "version": "4.22.6-Debian-4.22.6+dfsg-0+deb13u1",
        "smb_conf": "/etc/samba/smb.conf",
        "sessions": {str(one.session): _session(one) for one in clients},
        "tcons": {str(number): _tcon(one, str(number)) for number, one in enumerate(clients, 1) if one.share},
        "open_files": dict(_open_files(clients)),
    }
    return msgspec.json.encode(report).decode() + "\n"


def _session(one: Client) -> dict[str, Any]:
    signing, encryption = _crypto(one)
    return {
        "session_id": str(one.session),
        "server_id": _server(one),
        "uid": one.uid,
        "gid": one.uid,
        "username": one.person,
        "groupname": one.person,
        "creation_time": _moment(one.since),
        "expiration_time": "never",
        "auth_time": _moment(one.since),
        "remote_machine": one.name,
        "hostname": f"ipv{6 if ':' in one.address else 4}:{one.address}:51234",
        "session_dialect": "SMB3_11",
        "encryption": encryption,
        "signing": signing,
        "channels": {},
    }


def _tcon(one: Client, number: str) -> dict[str, Any]:
    signing, encryption = _crypto(one)
    return {
        "service": one.share,
        "server_id": _server(one),
        "tcon_id": number,
        "session_id": str(one.session),
        "machine": one.name,
        "connected_at": _moment(one.since),
        "encryption": encryption,
        "signing": signing,
    }


def _open_files(clients: list[Client]) -> Iterator[tuple[str, Any]]:
    number = 100
    for one in clients:
        for path, letters in one.files.items():
            number += 1
            text = letters.upper()
            yield (
                f"46:{number}",
                {
                    "service_path": one.folder,
                    "filename": path,
                    "fileid": {"devid": 46, "inode": number, "extid": 0},
                    "num_pending_deletes": 0,
                    "opens": {
                        f"{one.number}/{number}": {
                            "server_id": _server(one),
                            "uid": one.uid,
                            "share_file_id": str(number),
                            "sharemode": {
                                "hex": "0x00000007",
                                "READ": True,
                                "WRITE": True,
                                "DELETE": True,
                                "text": "RWD",
                            },
                            "access_mask": {
                                "hex": "0x0012019f",
                                "READ_DATA": "R" in text,
                                "WRITE_DATA": "W" in text,
                                "text": text,
                            },
                            "caching": {
                                "READ": False,
                                "WRITE": False,
                                "HANDLE": False,
                                "hex": "0x00000000",
                                "text": "",
                            },
                            "oplock": {},
                            "lease": {},
                            "opened_at": _moment(one.since),
                        }
                    },
                },
            )


def _crypto(one: Client) -> tuple[dict[str, str], dict[str, str]]:
    signing = {"cipher": "" if one.degree == "none" else "AES-128-GMAC", "degree": one.degree}
    full = one.degree == "full"
    encryption = {"cipher": "AES-128-GCM" if full else "-", "degree": "full" if full else "none"}
    return signing, encryption


def _server(one: Client) -> dict[str, str]:
    return {
        "pid": str(one.number),
        "task_id": "0",
        "vnn": "4294967295",
        "unique_id": str(one.session << 20),
    }


def nfs_clients(machine: Machine) -> Result:
    """grep over the files `info` and `states` of all NFSv4 clients."""
    said = [line for one in machine.clients if one.protocol == "nfs" for line in _nfs_lines(one, machine)]
    return Result(exit=0 if said else 1, stdout="".join(said))


def _nfs_lines(one: Client, machine: Machine) -> Iterator[str]:
    folder = f"{NFS_CLIENTS}/{one.number}"
    address = f"[{one.address}]" if ":" in one.address else one.address
    for line in (
        f"clientid: 0x{one.session:016x}",
        f'address: "{address}:845"',
        "status: confirmed",
        f"seconds from last renew: {int(machine.now() - one.since) % 30}",
        f'name: "{one.name}"',
        "minor version: 2",
        'Implementation domain: "kernel.org"',
    ):
        yield f"{folder}/info\0{line}\n"
    for number, (path, letters) in enumerate(one.files.items(), 1):
        owner = f'superblock: "00:2b:3", filename: "{path}", owner: "open id:{number:04x}"'
        yield f"{folder}/states\0- 0x{number:032x}: {{ type: open, access: {letters}, deny: --, {owner} }}\n"


def _moment(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="microseconds")


HANDLERS = (
    always(SambaStatus, smbstatus)
    | always(NfsClients, nfs_clients)
    | on(EndSmbd, end_smbd)
    | on(ExpireNfsClient, expire)
)
