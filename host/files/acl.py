"""POSIX access control lists (acl(5)): as values, as text, and as the kernel keeps them.

The text is that of `setfacl`, with numbers instead of names and without blanks:
`user::rwx,user:30000:r-x,group::r-x,mask::r-x,other::---`. Numbers, because a name may be given to somebody
else and means nothing once its account is gone.
"""

from __future__ import annotations

import re
import struct
from typing import NamedTuple

import msgspec

ACCESS, DEFAULT = "system.posix_acl_access", "system.posix_acl_default"
_VERSION = 2  # of the attributes, linux/posix_acl_xattr.h
_HEADER, _ENTRY = struct.Struct("<I"), struct.Struct("<HHI")
_NOBODY = 0xFFFFFFFF  # the number of entries that have none
_USER_OBJ, _USER, _GROUP_OBJ, _GROUP, _MASK, _OTHER = 0x01, 0x02, 0x04, 0x08, 0x10, 0x20
_TEXT = re.compile(r"(user|group|mask|other):([0-9]{0,10}):([r-])([w-])([x-])")
READ, WRITE, EXECUTE = 4, 2, 1


class BadAcl(ValueError):
    """This is no list that the kernel would take."""


class Named(NamedTuple):
    """The entry of one user or group."""

    number: int
    bits: int  # 4 read, 2 write, 1 execute (of a folder: enter)


class Acl(msgspec.Struct, frozen=True, kw_only=True):
    """An access control list. Named entries stand in the order of their numbers, each number once.

    `mask` bounds named entries and `group`, and is there where there are named entries.
    """

    owner: int
    group: int
    other: int
    users: tuple[Named, ...] = ()
    groups: tuple[Named, ...] = ()
    mask: int | None = None

    def __post_init__(self) -> None:
        named = (*self.users, *self.groups)
        if named and self.mask is None:
            raise BadAcl("A list with named entries needs a mask.")
        for entries in (self.users, self.groups):
            numbers = [one.number for one in entries]
            if numbers != sorted(set(numbers)):
                raise BadAcl("Named entries stand in the order of their numbers, each once.")
        every = (self.owner, self.group, self.other, self.mask or 0, *(one.bits for one in named))
        if not all(0 <= bits <= 7 for bits in every) or not all(0 <= one.number < _NOBODY for one in named):
            raise BadAcl("A number is out of its range.")

    def masked(self, bits: int) -> int:
        """What is left of an entry that the mask bounds."""
        return bits if self.mask is None else bits & self.mask

    @property
    def of_files(self) -> Acl:
        """This list for a file that is no program: nobody may execute it."""
        return self.without(EXECUTE)

    def without(self, bits: int) -> Acl:
        """This list without these bits in any entry."""
        keep = ~bits & 7
        return Acl(
            owner=self.owner & keep,
            group=self.group & keep,
            other=self.other & keep,
            users=tuple(Named(one.number, one.bits & keep) for one in self.users),
            groups=tuple(Named(one.number, one.bits & keep) for one in self.groups),
            mask=None if self.mask is None else self.mask & keep,
        )


def of_mode(mode: int) -> Acl:
    """What permission bits alone mean."""
    return Acl(owner=mode >> 6 & 7, group=mode >> 3 & 7, other=mode & 7)


def letters(bits: int) -> str:
    """`5` → `r-x`."""
    return "".join(letter if bits & bit else "-" for letter, bit in (("r", 4), ("w", 2), ("x", 1)))


def lines(acl: Acl) -> tuple[str, ...]:
    """The entries in getfacl's order."""
    found = [f"user::{letters(acl.owner)}"]
    found += [f"user:{one.number}:{letters(one.bits)}" for one in acl.users]
    found.append(f"group::{letters(acl.group)}")
    found += [f"group:{one.number}:{letters(one.bits)}" for one in acl.groups]
    if acl.mask is not None:
        found.append(f"mask::{letters(acl.mask)}")
    return (*found, f"other::{letters(acl.other)}")


def text(acl: Acl) -> str:
    """The entries in one line. `parse(text(x)) == x` for every x."""
    return ",".join(lines(acl))


def parse(said: str) -> Acl:
    """Such a text as a value. Raises `BadAcl`."""
    entries = []
    for part in said.split(","):
        match = _TEXT.fullmatch(part)
        if match is None:
            raise BadAcl(f"“{part[:60]}” is no entry of an access control list.")
        kind, number, *shown = match.groups()
        bits = sum(bit for letter, bit in zip(shown, (READ, WRITE, EXECUTE), strict=True) if letter != "-")
        tag = {
            ("user", True): _USER, ("user", False): _USER_OBJ, ("group", True): _GROUP,
            ("group", False): _GROUP_OBJ, ("mask", False): _MASK, ("other", False): _OTHER,
        }.get((kind, bool(number)))  # fmt: skip
        if tag is None:
            raise BadAcl(f"“{kind}” has no number.")
        entries.append((tag, bits, int(number) if number else _NOBODY))
    return _collected(entries)


def encoded(acl: Acl) -> bytes:
    """As the kernel takes it for the attributes `ACCESS` and `DEFAULT`."""
    entries = [(_USER_OBJ, acl.owner, _NOBODY)]
    entries += [(_USER, one.bits, one.number) for one in acl.users]
    entries.append((_GROUP_OBJ, acl.group, _NOBODY))
    entries += [(_GROUP, one.bits, one.number) for one in acl.groups]
    if acl.mask is not None:
        entries.append((_MASK, acl.mask, _NOBODY))
    entries.append((_OTHER, acl.other, _NOBODY))
    return _HEADER.pack(_VERSION) + b"".join(_ENTRY.pack(*entry) for entry in entries)


def decoded(data: bytes) -> Acl:
    """What the kernel gives. Raises `BadAcl`."""
    body = data[_HEADER.size :]
    if len(data) < _HEADER.size or len(body) % _ENTRY.size or _HEADER.unpack_from(data)[0] != _VERSION:
        raise BadAcl("The kernel returned an access control list in another format.")
    return _collected(list(_ENTRY.iter_unpack(body)))


def _collected(entries: list[tuple[int, int, int]]) -> Acl:
    single: dict[int, int] = {}
    users, groups = [], []
    for tag, bits, number in entries:
        if tag == _USER:
            users.append(Named(number, bits))
        elif tag == _GROUP:
            groups.append(Named(number, bits))
        elif tag in single or tag not in {_USER_OBJ, _GROUP_OBJ, _MASK, _OTHER}:
            raise BadAcl("An entry stands twice, or is of a kind that is not known.")
        else:
            single[tag] = bits
    if not {_USER_OBJ, _GROUP_OBJ, _OTHER} <= single.keys():
        raise BadAcl("The entries of the owner, the group and everyone else must be there.")
    return Acl(
        owner=single[_USER_OBJ],
        group=single[_GROUP_OBJ],
        other=single[_OTHER],
        users=tuple(sorted(users)),
        groups=tuple(sorted(groups)),
        mask=single.get(_MASK),
    )
