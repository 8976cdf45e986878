"""mdadm's commands as the helper takes them: every pattern is checked there."""

from __future__ import annotations

import msgspec
import pytest

from host.commands.closed import decode, encode
from host.commands.disks.md import MdRemove

STICK = "/dev/disk/by-id/usb-QEMU_QEMU_HARDDISK_FLASH0003-0:0-part3"


@pytest.mark.parametrize("member", ["failed", "detached", STICK])
def test_what_leaves_an_array_is_a_member_or_all_that_are_so(member: str) -> None:
    command = MdRemove(array="/dev/md127", member=member)
    assert decode(encode(command)) == command


@pytest.mark.parametrize("member", ["all", "faulty", "/dev/sda3", f"failed {STICK}", ""])
def test_nothing_else_leaves_an_array(member: str) -> None:
    with pytest.raises(msgspec.ValidationError, match="member"):
        decode(encode(MdRemove(array="/dev/md127", member=member)))
