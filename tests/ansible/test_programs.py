"""What the shell programs of the roles do first, and last. That they work is the lab's to say."""

from __future__ import annotations

from tests.ansible.units import ROLES

BOOT = ROLES / "boot" / "files" / "libexec"
LOCK = "exec 9>/run/nasweb-boot-copy.lock\n"


def in_order(text: str, *parts: str) -> bool:
    """Whether each part comes after the one before it."""
    places = [text.find(part) for part in parts]
    return -1 not in places and places == sorted(places)


def test_one_at_a_time_writes_the_boot_loader_of_a_half() -> None:
    text = (BOOT / "nasweb-boot-copy").read_text()
    assert in_order(text, LOCK, "flock --timeout 240 9 ||", "grub-install", "mkfs.vfat", "mount -t vfat")


def test_udev_removes_no_partition_while_the_boot_loader_is_written() -> None:
    # On a slow machine the ESP was gone when GRUB for a BIOS had been written: udev read the table anew.
    text = (BOOT / "nasweb-boot-copy").read_text()
    assert in_order(
        text, 'exec 8<"$disk"', "flock --timeout 240 8 ||", "grub-install", "mkfs.vfat", "mount -t"
    )
    assert text.endswith('umount "$mount"\nflock --unlock 8\nudevadm settle --timeout=120\n')


def test_nobody_reads_an_esp_that_is_written_and_the_lock_is_free_for_the_writer() -> None:
    text = (BOOT / "nasweb-boot-copies").read_text()
    parts = (
        "flock --timeout 240 9 &&",
        "mount -t vfat -o ro",
        "flock --unlock 9",
        "libexec/nasweb-boot-copy ",
    )
    assert in_order(text, LOCK, *parts)


def test_a_key_and_a_certificate_that_were_parted_are_made_anew_at_the_next_start() -> None:
    text = (ROLES / "services" / "files" / "libexec" / "nasweb-keys").read_text()
    assert in_order(
        text, "sync key.new certificate.new", "mv key.new key.pem", "mv certificate.new certificate.pem"
    )
    assert "[ ! -s key.pem ] || { made_here && ! pair; }; then\n" in text


def test_an_own_folder_is_made_in_the_file_system_alone_and_none_is_left_to_root() -> None:
    text = (ROLES / "services" / "files" / "libexec" / "nasweb-own-folder").read_text()
    parts = (
        '/usr/bin/mountpoint -q "$1" || exit 1\n',
        'test ! -L "$own" && test -d "$own"',
        '&& test "$(stat -c %u "$own")" = 0 && rmdir "$own" 2>/dev/null\n',
        'mkdir -m 0700 "$own"',
        'chown -h "$2:nasweb-people" "$own" || { rmdir "$own"; exit 1; }\n',
    )
    assert in_order(text, *parts)
