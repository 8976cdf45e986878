"""Whether a person may make something in a folder of a simulated machine: as acl(5) has it."""

from __future__ import annotations

from host.files import acl
from host.files.answers import FolderRights
from host.inventory.people import EVERYBODY_GID
from host.simulated.datasets.file_tree import Tree
from host.simulated.state import Dataset, Machine

_NEEDED = acl.WRITE | acl.EXECUTE


def may_write(machine: Machine, dataset: Dataset, files: Tree, folder: str, person: str) -> bool:
    """By the folder's list, else by that which it inherited when it was made, else by its mode."""
    uid = machine.people[person].uid
    groups = {EVERYBODY_GID, *(one.gid for one in machine.groups.values() if person in one.members)}
    rights = dataset.rights.get(folder) or _inherited(dataset, folder)
    if rights is not None:
        return _bits(acl.parse(rights.access), rights, uid, groups) & _NEEDED == _NEEDED
    state = files.get(folder)
    if state is None:
        return False
    bits = state.mode >> 6 if state.uid == uid else state.mode
    return bits & _NEEDED == _NEEDED


def _inherited(dataset: Dataset, folder: str) -> FolderRights | None:
    while folder:
        folder = folder.rpartition("/")[0]
        if (above := dataset.rights.get(folder)) is not None and above.default is not None:
            return FolderRights(owner=above.owner, group=above.group, access=above.default)
    return None


def _bits(listed: acl.Acl, rights: FolderRights, uid: int, groups: set[int]) -> int:
    if uid == rights.owner:
        return listed.owner
    for one in listed.users:
        if one.number == uid:
            return listed.masked(one.bits)
    found = [one.bits for one in listed.groups if one.number in groups]
    found += [listed.group] if rights.group in groups else []
    if found:
        return max((listed.masked(bits) for bits in found), key=lambda bits: bits & _NEEDED == _NEEDED)
    return listed.other
