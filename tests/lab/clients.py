"""Clients of the shares: network namespaces on the NAS itself, one at home and one abroad, with own mounts.

They share nothing with the NAS but its kernel: whatever they reach, they reach over the network.
"""

from __future__ import annotations

import shlex

from tests.lab.machine import Machine
from tests.lab.shell import Result

SERVER, HOME, ABROAD = "10.77.0.1", "10.77.0.2", "10.78.0.2"
_LINKS = (("home", "10.77.0.1", HOME), ("abroad", "10.78.0.1", ABROAD))
_AUTH = "/root/drill-auth"


class Clients:
    """Two clients of one NAS; `where` is `home` (10.77.0.0/24) or `abroad` (10.78.0.0/24)."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def come(self) -> None:
        """Connect them, as after a start of the machine."""
        for name, server, client in _LINKS:
            self._machine.run(
                f"ip netns list | grep -qw {name} || {{ ip netns add {name};"
                f" ip link add drill-{name} type veth peer name eth0 netns {name};"
                f" ip addr add {server}/24 dev drill-{name}; ip link set drill-{name} up;"
                f" ip -n {name} addr add {client}/24 dev eth0; ip -n {name} link set eth0 up;"
                f" ip -n {name} link set lo up; ip -n {name} route add default via {server}; }}"
            )

    def go(self) -> None:
        """Unmount what they have mounted, and disconnect them."""
        self._machine.run("umount --force --lazy --all-targets /client/* 2>/dev/null; true", check=False)
        for name, _, _ in _LINKS:
            self._machine.run(f"ip netns del {name} 2>/dev/null; ip link del drill-{name} 2>/dev/null; true")
        self._machine.run(f"rm -rf /client {_AUTH}-*")

    def know(self, person: str, password: str) -> None:
        """Keep somebody's password where smbclient and mount.cifs read it."""
        text = f"username={person}\npassword={password}\n"
        self._machine.run(f"install -m 600 /dev/stdin {_AUTH}-{person}", input=text)

    def run(self, line: str, *, where: str = "home", check: bool = True, timeout_s: float = 300) -> Result:
        """A shell line on a client."""
        inside = f"nsenter --net=/run/netns/{where} sh -c {shlex.quote(line)}"
        return self._machine.run(inside, check=check, timeout_s=timeout_s)

    def smb(self, share: str, commands: str, *, person: str | None = None, where: str = "home") -> Result:
        """smbclient, as a person or without any name."""
        who = f"--authentication-file={_AUTH}-{person}" if person else "--no-pass"
        server = SERVER if where == "home" else "10.78.0.1"
        address = f"//{server}/{shlex.quote(share)}"
        line = f"cd /var/tmp && smbclient {address} {who} --command={shlex.quote(commands)}"
        return self.run(line, where=where, check=False)

    def mount_smb(self, share: str, person: str, *, options: str = "") -> str:
        """A kernel mount by SMB; the folder that it is at."""
        folder = f"/client/smb-{share.lower()}"
        more = f",{options}" if options else ""
        self.run(
            f"mkdir -p {folder} && mount -t cifs //{SERVER}/{share} {folder}"
            f" -o credentials={_AUTH}-{person},vers=3.1.1{more}"
        )
        return folder

    def mount_nfs(
        self, path: str, *, version: str = "4.2", where: str = "home", check: bool = True
    ) -> Result:
        """A kernel mount by NFS at /client/nfs, from the NAS's address in the client's network."""
        server = SERVER if where == "home" else "10.78.0.1"
        lock = ",nolock" if version == "3" else ""
        line = (
            f"mkdir -p /client/nfs && timeout 60 mount -t nfs {server}:{path} /client/nfs"
            f" -o vers={version},timeo=100,retrans=2,soft,retry=0{lock}"
        )
        return self.run(line, where=where, check=check)

    def unmount(self, folder: str) -> None:
        """Unmount it."""
        self.run(f"umount {folder}")
