"""What another machine may do here, and what this machine shows of itself to one that asks."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from host.commands.base import Command, DatasetName, PoolsCommand
from host.contents import peers
from host.contents.peers import PeerId
from host.contents.ssh import PublicKey, key_fault
from host.families import NOTHING

Shared = Annotated[tuple[DatasetName, ...], Meta(max_length=200)]
# zfs-allow(8), for what `host.programs.peer` runs as an account without rights. Received properties are
# overridden and left out by name (`streams`), each of which takes the right to that property. To mount is no
# right of that account in Linux: `mount` is only what zfs asks of whoever creates or destroys.
_LEFT_OUT = (
    "canmount", "devices", "exec", "mountpoint", "overlay", "quota", "readonly", "refreservation",
    "reservation", "setuid", "sharenfs", "sharesmb", "snapdev", "userprop", "zoned",
)  # fmt: skip
# What a stream brings with it as its dataset has it. None of these has root do anything.
_BROUGHT = (
    "aclinherit", "aclmode", "acltype", "atime", "checksum", "compression", "copies", "dedup", "dnodesize",
    "logbias", "primarycache", "recordsize", "redundant_metadata", "refquota", "relatime", "secondarycache",
    "snapdir", "snapshot_limit", "special_small_blocks", "sync", "volmode", "volsize", "vscan", "xattr",
)  # fmt: skip
RECEIVE = (
    "bookmark", "create", "destroy", "hold", "mount", "receive", "release", "send", *_LEFT_OUT, *_BROUGHT,
)  # fmt: skip
# To forget a bookmark takes the right to destroy, which the program uses for nothing else here.
SEND = ("bookmark", "destroy", "hold", "mount", "release", "send")
RIGHTS = {"receive": RECEIVE, "send": SEND}


class AllowPeer(PoolsCommand, frozen=True, kw_only=True):
    """Let the account of paired machines receive below a dataset, or send it and all below."""

    touches = NOTHING
    dataset: DatasetName
    what: Literal["receive", "send"]

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "allow", "-u", peers.USER, ",".join(RIGHTS[self.what]), self.dataset)


class DisallowPeer(PoolsCommand, frozen=True, kw_only=True):
    """Take all such rights on a dataset back; those that it has from above stay."""

    touches = NOTHING
    dataset: DatasetName

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "unallow", "-u", peers.USER, self.dataset)


class ShowAllowed(Command, frozen=True, kw_only=True):
    """Who has which rights on a dataset."""

    reads = True
    dataset: DatasetName

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "allow", self.dataset)


class _OfPeer(Command, frozen=True, kw_only=True):
    touches = NOTHING
    peer: PeerId


class WritePeerRights(_OfPeer, frozen=True, kw_only=True):
    """Say what a paired machine may do. The text is made here, of these values alone."""

    root: DatasetName
    shared: Shared = ()

    def argv(self) -> tuple[str, ...]:
        return ("install", "--mode=0644", "/dev/stdin", peers.rights_file(self.peer))

    def input(self) -> str:
        return peers.render_rights(self.root, self.shared)


class AcceptPeerKey(_OfPeer, frozen=True, kw_only=True):
    """Let whoever has this key run the one program of paired machines, and nothing else."""

    key: PublicKey

    def __post_init__(self) -> None:
        if fault := key_fault(self.key):
            raise ValueError(fault)

    def argv(self) -> tuple[str, ...]:
        return ("install", "--mode=0644", "/dev/stdin", peers.keys_file(self.peer))

    def input(self) -> str:
        return peers.render_line(self.peer, self.key)


class ForgetPeer(_OfPeer, frozen=True, kw_only=True):
    """A paired machine gets in no more. What it does at this moment goes on to its end."""

    def argv(self) -> tuple[str, ...]:
        return ("rm", "--force", peers.keys_file(self.peer), peers.rights_file(self.peer))


class OwnHostKeys(Command, frozen=True, kw_only=True):
    """The public keys by which this machine's SSH server is known; none without a server."""

    reads = True
    good_exits = (0, 1)

    def argv(self) -> tuple[str, ...]:
        # A pattern of names would take a shell: grep goes through the folder, and reads these files alone.
        which = ("--include=ssh_host_*_key.pub", "--recursive", "--no-filename", "--no-messages")
        return ("grep", *which, "--extended-regexp", "^(ssh|ecdsa)-", "/etc/ssh")


class SshServerState(Command, frozen=True, kw_only=True):
    """Whether the SSH server runs, or is started by whoever connects."""

    reads = True
    good_exits = (0, 3, 4)

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "is-active", "ssh.service", "ssh.socket")


class StartSshServer(Command, frozen=True, kw_only=True):
    """Let the SSH server run, now and from each start of the machine on."""

    touches = NOTHING

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "enable", "--now", "ssh.service")


Commands = (
    AllowPeer
    | DisallowPeer
    | ShowAllowed
    | WritePeerRights
    | AcceptPeerKey
    | ForgetPeer
    | OwnHostKeys
    | SshServerState
    | StartSshServer
)
