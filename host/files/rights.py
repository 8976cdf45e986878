"""Reads and sets who may do what with folders and files that are held open: no path is followed here."""

from __future__ import annotations

import errno
import os
import stat

from host.files import acl
from host.files.acl import Acl
from host.files.answers import FolderRights

NO_LIST = {errno.ENODATA, errno.EOPNOTSUPP}  # there is none, or the dataset takes none
_MAY_RUN = 0o111


def read(descriptor: int) -> FolderRights:
    """What is set on a folder that was opened for nothing but to know it (O_PATH). Raises `OSError`."""
    status = os.fstat(descriptor)
    access = _attribute(descriptor, acl.ACCESS)
    default = _attribute(descriptor, acl.DEFAULT)
    listed = acl.decoded(access) if access else acl.of_mode(status.st_mode)
    return FolderRights(
        owner=status.st_uid,
        group=status.st_gid,
        access=acl.text(listed),
        default=acl.text(acl.decoded(default)) if default else None,
    )


def set_folder(descriptor: int, access: Acl, default: Acl) -> None:
    """Set both lists of a folder. Raises `OSError`."""
    path = path_of(descriptor)
    os.setxattr(path, acl.ACCESS, acl.encoded(access))
    os.setxattr(path, acl.DEFAULT, acl.encoded(default))


def set_owner(descriptor: int, owner: int, group: int) -> None:
    """Give a folder to a user and a group. Raises `OSError`."""
    os.chown(path_of(descriptor), owner, group)


def set_file(descriptor: int, access: Acl, plain: Acl) -> None:
    """Set the list of a file: `access` on a program, `plain` on all others. Raises `OSError`."""
    runs = stat.S_IMODE(os.fstat(descriptor).st_mode) & _MAY_RUN
    os.setxattr(path_of(descriptor), acl.ACCESS, acl.encoded(access if runs else plain))


def _attribute(descriptor: int, name: str) -> bytes | None:
    try:
        return os.getxattr(path_of(descriptor), name)
    except OSError as error:
        if error.errno in NO_LIST:
            return None
        raise


def path_of(descriptor: int) -> str:
    """What is held, and certainly that. (The kernel takes no attributes by a descriptor of O_PATH itself.)"""
    return f"/proc/self/fd/{descriptor}"
