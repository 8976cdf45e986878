"""Who is connected to the shares, as Samba and the kernel's NFS server report it; disconnects clients."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from host.commands.base import Command

NFS_CLIENTS = "/proc/fs/nfsd/clients"
ProcessId = Annotated[int, Meta(ge=2, le=4_194_304)]  # the kernel's own limit (proc_sys_kernel(5))
NfsClientNumber = Annotated[int, Meta(ge=0, le=4_294_967_295)]


class SambaStatus(Command, frozen=True, kw_only=True):
    """Sessions, connections to shares and open files, as JSON.

    Where no client ever came it may end well without a word on its stdout (locking.tdb is not there yet).
    """

    reads = True

    def argv(self) -> tuple[str, ...]:
        return ("smbstatus", "--json")


class NfsClients(Command, frozen=True, kw_only=True):
    """What is in the files `info` and `states` of each NFSv4 client: a path, NUL and the text on each line.

    Status 1: there is no client. 2: nfsd is not loaded, or a client left while it was read. The kernel lists
    no NFSv3 clients: that protocol has no sessions.
    """

    reads = True
    good_exits = (0, 1, 2)

    def argv(self) -> tuple[str, ...]:
        wanted = ("--include=info", "--include=states")
        return ("grep", "-r", "--no-messages", "--text", "--null", *wanted, "--regexp=", NFS_CLIENTS)


class EndSmbd(Command, frozen=True, kw_only=True):
    """Let the one process that serves an SMB client end: all its sessions are closed, others go on."""

    process: ProcessId

    def argv(self) -> tuple[str, ...]:
        return ("smbcontrol", str(self.process), "shutdown")


class ExpireNfsClient(Command, frozen=True, kw_only=True):
    """Take from an NFSv4 client what it has open or locked, as if it had not been heard of for long.

    A client that is still there begins anew, if it may.
    """

    client: NfsClientNumber

    def argv(self) -> tuple[str, ...]:
        return ("tee", f"{NFS_CLIENTS}/{self.client}/ctl")

    def input(self) -> str:
        return "expire\n"


Commands = SambaStatus | NfsClients | EndSmbd | ExpireNfsClient
