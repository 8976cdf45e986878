"""The settings in which the copy differs from the old system, and the entry that starts it. All pure."""

from __future__ import annotations

import re
from collections.abc import Callable

ENTRY = "nasweb-copy"
_BEGIN, _END = "# nasweb begin", "# nasweb end"
# What belongs to the old start, and not to that of the copy.
_OWN = re.compile(r"(?:BOOT_IMAGE|root|resume|panic|initrd)=.*|ro|rw")
_PLAIN = re.compile(r"[A-Za-z0-9_.,:=/@+-]+")


def fstab(text: str, uuid: str, leave_out: Callable[[str, str], bool]) -> str:
    """`text` with the copy as the root; `leave_out` says it of a device and its file system's kind."""
    lines = [f"UUID={uuid} / ext4 noatime,errors=remount-ro 0 1"]
    for line in _lines(text):
        fields = [] if line.lstrip().startswith("#") else line.split()
        if not (fields and leave_out(fields[0], fields[2] if len(fields) > 2 else "")):
            lines.append(line)
    return _text(lines)


def mdadm_conf(text: str, array: str) -> str:
    """`text` with the array, by its UUID, as /dev/md/root, and no other one of that name."""
    other = re.compile(rf"ARRAY .*(?:/dev/md/root |UUID={re.escape(array)})")
    lines = [line for line in _lines(text) if not other.match(line)]
    return _text([*lines, f"ARRAY /dev/md/root metadata=1.2 UUID={array}"])


def without_entry(custom: str) -> str:
    """GRUB's custom.cfg as it was before our entry."""
    lines, within = list[str](), False
    for line in _lines(custom):
        within = within or line == _BEGIN
        if not within:
            lines.append(line)
        within = within and line != _END
    return _text(lines)


def with_entry(custom: str, uuid: str, kernel: str, words: tuple[str, ...]) -> str:
    """The same with the entry that starts the copy.

    Without the copy GRUB goes back to its menu, in which nothing is chosen any more; a kernel that finds no
    root starts the machine again.
    """
    line = " ".join((f"/boot/vmlinuz-{kernel}", f"root=UUID={uuid}", "ro", "panic=30", *words))
    return without_entry(custom) + _text([
        _BEGIN,
        f"menuentry 'The copy of the system' --id {ENTRY} {{",
        "    insmod part_gpt",
        "    insmod mdraid1x",
        "    insmod ext2",
        f"    if search --no-floppy --fs-uuid --set=root {uuid}; then",
        f"        linux {line}",
        f"        initrd /boot/initrd.img-{kernel}",
        "    else",
        "        configfile $prefix/grub.cfg",
        "    fi",
        "}",
        _END,
    ])  # fmt: skip


def kernel_words(cmdline: str) -> tuple[str, ...]:
    """The words that the running kernel was started with and the copy's may be, too.

    None that GRUB would read as anything but a word of its own.
    """
    words = re.split(r"[ \t]+", cmdline.partition("\n")[0])
    return tuple(word for word in words if _PLAIN.fullmatch(word) and not _OWN.fullmatch(word))


def swap_files(swaps: str) -> tuple[str, ...]:
    """The files that are swapped to, of /proc/swaps."""
    rows = (line.split() for line in swaps.splitlines())
    return tuple(row[0] for row in rows if row[1:2] == ["file"])


def array_uuid(detail: str) -> str | None:
    """MD_UUID of `mdadm --detail --export`."""
    found = re.search(r"^MD_UUID=(\S+)$", detail, re.MULTILINE)
    return found[1] if found else None


def _lines(text: str) -> list[str]:
    """By line feeds alone: other signs that end a line in Python may stand in one."""
    return text.removesuffix("\n").split("\n") if text else []


def _text(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
