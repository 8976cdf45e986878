"""What is built on a disk: the tree of lsblk, with the loop devices that it does not show there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from host.holders import held_words, holder_words
from host.inventory import DiskClaim
from host.lines import lines

Node = dict[str, Any]
_FILE = "/loop/backing_file"
# Whose signature says already, in the claim of its own, what is built on it.
_SAID = {"linux_raid_member": "raid", "LVM2_member": "lvm", "crypto_LUKS": "crypt"}


def is_partition(node: Node) -> bool:
    """A partition of its parent; not a map of kpartx, which lsblk calls one too."""
    return node["type"] == "part" and not node["kname"].startswith("dm-")


def holders(node: Node) -> list[Node]:
    """The devices that are built on a node."""
    return [child for child in node.get("children", ()) if not is_partition(child)]


def users(node: Node) -> Iterator[Node]:
    """The node, and all that is built on it, with partitions of that."""
    yield node
    for holder in holders(node):
        yield from _below(holder)


def held(node: Node) -> Iterator[DiskClaim]:
    """The claim of what is built on a node, whatever the kernel calls it."""
    said = _SAID.get(node["fstype"] or "", "-")
    others = [one for one in holders(node) if not one["type"].startswith(said)]
    if others:
        names = sorted(holder_words(one["type"], one["name"]) for one in others)
        yield DiskClaim(kind="held", words=held_words(names), active=True)


def add_loops(devices: list[Node], files: str) -> None:
    """Put each loop device below the device that it lies on. For the kernel it holds only a file."""
    loops = {device["kname"]: device for device in devices if device["type"] == "loop"}
    nodes = {path: node for device in devices for node in _below(device) for path in _paths(node)}
    for line in lines(files):
        path, _, backing = line.partition("\0")
        below, on = loops.get(path.removesuffix(_FILE).rpartition("/")[2]), nodes.get(backing)
        if below is not None and on is not None and below is not on:
            on.setdefault("children", []).append(below)


def _below(node: Node) -> Iterator[Node]:
    yield node
    for child in node.get("children") or ():
        yield from _below(child)


def _paths(node: Node) -> tuple[str, str]:
    return node["path"], f"/dev/{node['kname']}"
