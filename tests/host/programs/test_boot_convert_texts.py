"""The settings of the copy, and the entry that starts it, as text from text."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from host.programs.boot_convert.texts import (
    array_uuid,
    fstab,
    kernel_words,
    mdadm_conf,
    swap_files,
    with_entry,
    without_entry,
)

ROOT = "UUID=6f1c / ext4 noatime,errors=remount-ro 0 1\n"
MD = "0d1c2b3a:4f5e6d7c:8b9a0f1e:2d3c4b5a"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", ""),
        ("# a comment of /dev/sda2\n", "# a comment of /dev/sda2\n"),
        ("  # indented /dev/sda2 / ext4\n", "  # indented /dev/sda2 / ext4\n"),
        ("\n\n", "\n\n"),
        ("/dev/sda2 / ext4 defaults 0 1\n", ""),
        ("\t/dev/sda2\t/\text4\tdefaults\n", ""),
        ("/swapfile none swap sw 0 0\n", ""),
        ("/dev/zram0 none swap sw 0 0\n", "/dev/zram0 none swap sw 0 0\n"),
        ("tmpfs /tmp tmpfs size=1G 0 0\n", "tmpfs /tmp tmpfs size=1G 0 0\n"),
        ("nas:/x /mnt/a\\040b nfs ro 0 0", "nas:/x /mnt/a\\040b nfs ro 0 0\n"),  # no line feed at its end
        ("/dev/sda2 / ext4\nproc /proc proc\n/dev/sda3 none\n", "proc /proc proc\n"),
        ("/dev/sdc1 /x\x85y ext4\n", "/dev/sdc1 /x\x85y ext4\n"),
        ("lonely\n", "lonely\n"),
    ],
)
def test_the_copy_mounts_what_stays_in_the_machine(before: str, after: str) -> None:
    def leave_out(device: str, kind: str) -> bool:
        return device.startswith("/dev/sda") or (kind == "swap" and device == "/swapfile")

    assert fstab(before, "6f1c", leave_out) == ROOT + after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", ""),
        ("MAILADDR root\n", "MAILADDR root\n"),
        (f"ARRAY /dev/md/root metadata=1.2 UUID={MD}\n", ""),
        ("ARRAY /dev/md/root metadata=1.2 UUID=1:2:3:4\n", ""),
        (f"ARRAY /dev/md/127 metadata=1.2 UUID={MD} name=nas:root\n", ""),
        ("ARRAY /dev/md/roots UUID=1:2:3:4\n", "ARRAY /dev/md/roots UUID=1:2:3:4\n"),
        ("# ARRAY /dev/md/root UUID=1\nMAILADDR x", "# ARRAY /dev/md/root UUID=1\nMAILADDR x\n"),
    ],
)
def test_the_array_is_named_once(before: str, after: str) -> None:
    assert mdadm_conf(before, MD) == f"{after}ARRAY /dev/md/root metadata=1.2 UUID={MD}\n"


ENTRY = """\
# nasweb begin
menuentry 'The copy of the system' --id nasweb-copy {
    insmod part_gpt
    insmod mdraid1x
    insmod ext2
    if search --no-floppy --fs-uuid --set=root 6f1c; then
        linux /boot/vmlinuz-6.12-amd64 root=UUID=6f1c ro panic=30 quiet console=ttyS0
        initrd /boot/initrd.img-6.12-amd64
    else
        configfile $prefix/grub.cfg
    fi
}
# nasweb end
"""


def test_the_entry_of_the_copy_stands_behind_what_was_there() -> None:
    made = with_entry("set theme=x\n", "6f1c", "6.12-amd64", ("quiet", "console=ttyS0"))
    assert made == f"set theme=x\n{ENTRY}"
    assert with_entry(made, "6f1c", "6.12-amd64", ("quiet", "console=ttyS0")) == made
    assert without_entry(made) == "set theme=x\n"


def test_an_entry_without_further_words_ends_with_its_own() -> None:
    assert " panic=30\n" in with_entry("", "6f1c", "6.12-amd64", ())


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", ""),
        ("a\nb", "a\nb\n"),
        ("a\n# nasweb begin\nx\n# nasweb end\nb\n# nasweb begin\ny\n# nasweb end\n", "a\nb\n"),
        ("a\n# nasweb begin\nx\n", "a\n"),  # its end is lost
        ("# nasweb begin not\nx\n# nasweb end\n", "# nasweb begin not\nx\n# nasweb end\n"),
    ],
)
def test_nothing_but_the_entry_is_taken_out(before: str, after: str) -> None:
    assert without_entry(before) == after


@pytest.mark.parametrize(
    ("cmdline", "words"),
    [
        ("", ()),
        ("BOOT_IMAGE=/boot/vmlinuz root=UUID=1-2 ro quiet\n", ("quiet",)),
        ("rw  quiet\tconsole=ttyS0,115200n8 \n", ("quiet", "console=ttyS0,115200n8")),
        ("resume=UUID=1 panic=5 initrd=/x rootwait rooted=1", ("rootwait", "rooted=1")),
        ("a=$b c;d 'e' \"f g\" h|i j&k l{m} n(o) #p q\\r s*t u<v", ()),
        ("zfs.zfs_arc_max=1 mitigations=auto,nosmt", ("zfs.zfs_arc_max=1", "mitigations=auto,nosmt")),
        ("one\ntwo", ("one",)),
        ("a\xa0b c\x0bd é", ()),
    ],
)  # fmt: skip
def test_the_copy_starts_with_the_words_of_the_running_kernel_but_for_its_root(
    cmdline: str, words: tuple[str, ...]
) -> None:
    assert kernel_words(cmdline) == words


@given(
    st.text(alphabet=st.sampled_from("ab=/ \t\n$\"'\\;&|<>{}()#*`~!?[]%^,.:@+-_é\xa0\x85\u2028\r\x0b\x00"))
    | st.text()
)
@example("$(reboot) `x` a;b a\rb")
def test_no_word_passes_that_grub_would_interpret(cmdline: str) -> None:
    words = kernel_words(cmdline)
    assert all(re.fullmatch(r"[A-Za-z0-9_.,:=/@+-]+", word, re.ASCII) for word in words)
    assert not {"ro", "rw"} & set(words)
    assert not any(
        word.startswith(("BOOT_IMAGE=", "root=", "resume=", "panic=", "initrd=")) for word in words
    )
    # Each is one that the kernel was started with, in that order, and in one line of the entry.
    rest = iter(re.split(r"[ \t\n]+", cmdline))
    assert all(word in rest for word in words)
    lines = with_entry("", "6f1c", "6.12", words).splitlines()
    assert len(lines) == len(ENTRY.splitlines())
    assert lines[6].split()[4:] == ["panic=30", *words]


def test_only_files_that_are_swapped_to_are_left_out() -> None:
    said = "Filename\tType\tSize\n/swapfile file 1 0 -2\n/dev/sda4 partition 1 0 -3\n/a/swap  file 1 0 -4\n\n"
    assert swap_files(said) == ("/swapfile", "/a/swap")
    assert swap_files("") == ()


def test_the_array_is_known_by_its_number() -> None:
    assert array_uuid(f"MD_LEVEL=raid1\nMD_UUID={MD}\nMD_NAME=nas:root\n") == MD
    assert array_uuid("MD_LEVEL=raid1\n") is None
