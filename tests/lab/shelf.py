"""A SCSI enclosure for the lab, run in the guest as root: `python3 shelf.py FILE`.

QEMU has none, so the kernel's own target is used: commands for its user backstore (TCMU) arrive here, and its
loopback fabric makes it a SCSI device to which the drivers `ses` and `enclosure` bind as to a real shelf.
FILE says, after each change, which slots have their locate light on.
Sources: Documentation/target/tcmu-design.rst and drivers/scsi/ses.c of Linux 6.12; SES-3 (T10/2149-D).
"""

from __future__ import annotations

import json
import mmap
import os
import struct
import subprocess
import sys
from pathlib import Path

# As odd as real shelves are: names count from 1 and end in blanks, numbers count from 0.
NAMES = [f"Slot {number:02}  " for number in range(1, 13)]
LOGICAL_ID = 0x5001405F00C0FFEE
TARGET = Path("/sys/kernel/config/target")
CORE = TARGET / "core/user_0/shelf"
LOOP = TARGET / "loopback/naa.5001405f00000001/tpgt_1"
ARRAY_DEVICE = 0x17
GOOD, CHECK_CONDITION = 0x00, 0x02
INVALID_FIELD = bytes([0x70, 0, 5, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x24, 0, 0, 0, 0, 0])
PAD, COMMAND, OPERATIONS = 0, 1, 0x7

locating = [False] * len(NAMES)


def configuration() -> bytes:
    """Page 1: one enclosure with one type of element."""
    enclosure = bytes([0x11, 0, 1, 36]) + struct.pack(">Q", LOGICAL_ID) + b"NASWEB  SHELF12         0001"
    body = bytes(4) + enclosure + bytes([ARRAY_DEVICE, len(NAMES), 0, 0])
    return struct.pack(">BBH", 1, 0, len(body)) + body


def status() -> bytes:
    """Page 2: an overall element, then one a slot; 0x02 in its third byte is the locate light."""
    elements = b"".join(bytes([0x01, 0, 0x02 if lit else 0, 0]) for lit in locating)
    body = bytes(4) + bytes(4) + elements
    return struct.pack(">BBH", 2, 0, len(body)) + body


def names() -> bytes:
    """Page 7: what the slots are called."""
    texts = [b"", *(name.encode() for name in NAMES)]
    body = bytes(4) + b"".join(struct.pack(">HH", 0, len(text)) + text for text in texts)
    return struct.pack(">BBH", 7, 0, len(body)) + body


def additional() -> bytes:
    """Page 10: the number of each slot, of a SAS disk whose address nobody has."""
    elements = b"".join(
        bytes([0x16, 34, 0, number])  # EIP, SAS; length; element index
        + bytes([1, 0, 0, number])  # one phy; slot number
        + bytes([0x10] + [0] * 11)
        + struct.pack(">Q", 0x5001405F0000BA00 + number)
        + bytes(8)
        for number in range(len(NAMES))
    )
    body = bytes(4) + elements
    return struct.pack(">BBH", 10, 0, len(body)) + body


def inquiry(cdb: bytes) -> bytes | None:
    """What the device is; of the vital product data only the list of the pages that there are not."""
    if cdb[1] & 1:
        return bytes([0x0D, cdb[2], 0, 1, 0]) if cdb[2] == 0 else None
    return bytes([0x0D, 0, 0x06, 0x02, 31, 0, 0x40, 0x02]) + b"NASWEB  SHELF12         0001"


def answer(cdb: bytes, sent: bytes) -> bytes | None:
    """The data of one command; None for one that is not known."""
    pages = {1: configuration, 2: status, 7: names, 10: additional}
    match cdb[0]:
        case 0x00:  # TEST UNIT READY
            return b""
        case 0x12:
            return inquiry(cdb)
        case 0x1C if cdb[2] in pages:  # RECEIVE DIAGNOSTIC RESULTS
            return pages[cdb[2]]()
        case 0x1D:  # SEND DIAGNOSTIC
            switch(sent)
            return b""
        case _:
            return None


def switch(page: bytes) -> None:
    """Page 2 as control: an element with its select bit set switches its light."""
    for number in range(len(NAMES)):
        element = page[12 + 4 * number : 16 + 4 * number]
        if len(element) == 4 and element[0] & 0x80:
            locating[number] = bool(element[2] & 0x02)
    write_lights()


def write_lights() -> None:
    Path(sys.argv[1]).write_text(json.dumps([number for number, lit in enumerate(locating) if lit]))


def make() -> int:
    """The device; returns its open uio descriptor."""
    for module in ("target_core_user", "tcm_loop", "ses"):
        subprocess.run(["modprobe", module], check=True)
    CORE.mkdir(parents=True)
    (CORE / "control").write_text("dev_config=nasweb/shelf,dev_size=1048576")
    (CORE / "enable").write_text("1")
    for entry in Path("/sys/class/uio").iterdir():
        if (entry / "name").read_text().startswith("tcm-user/0/shelf/"):
            return os.open(f"/dev/{entry.name}", os.O_RDWR)
    raise SystemExit("The kernel made no device for the shelf.")


def attach() -> None:
    """Joins it to a SCSI host of its own. Returns once the kernel has asked it what it is."""
    (LOOP / "lun/lun_0").mkdir(parents=True)
    (LOOP / "nexus").write_text("naa.5001405f00000002")
    (LOOP / "lun/lun_0/shelf").symlink_to(CORE)


def serve(uio: int) -> None:
    """Answers commands until it is killed."""
    name = Path(f"/proc/self/fd/{uio}").readlink().name
    size = int(Path(f"/sys/class/uio/{name}/maps/map0/size").read_text(), 16)
    ring = mmap.mmap(uio, size)
    while True:
        os.read(uio, 4)
        while True:
            _, _, start, length, head = struct.unpack_from("<HHIII", ring, 0)
            (tail,) = struct.unpack_from("<I", ring, 64)
            if head == tail:
                break
            entry = start + tail
            (word,) = struct.unpack_from("<I", ring, entry)
            if word & OPERATIONS == COMMAND:
                carry_out(ring, entry)
            struct.pack_into("<I", ring, 64, (tail + (word & ~OPERATIONS)) % length)
        os.write(uio, struct.pack("<I", 0))


def carry_out(ring: mmap.mmap, entry: int) -> None:
    """One command of the ring: its data lies in pieces elsewhere in it, its answer takes its own place."""
    count, _, _, cdb_at = struct.unpack_from("<III4xQ", ring, entry + 8)
    cdb = bytes(ring[cdb_at : cdb_at + 16])
    pieces = [struct.unpack_from("<QQ", ring, entry + 48 + 16 * number) for number in range(count)]
    sent = b"".join(bytes(ring[at : at + size]) for at, size in pieces)
    said = answer(cdb, sent)
    left = said or b""
    for at, size in pieces if left and cdb[0] != 0x1D else []:
        ring[at : at + size] = left[:size].ljust(size, b"\0")
        left = left[size:]
    struct.pack_into("<BBHI", ring, entry + 8, CHECK_CONDITION if said is None else GOOD, 0, 0, 0)
    if said is None:
        ring[entry + 16 : entry + 16 + len(INVALID_FIELD)] = INVALID_FIELD


if __name__ == "__main__":
    write_lights()
    device = make()
    if os.fork():
        attach()
        os.wait()
    else:
        serve(device)
