"""What the shell programs of the roles do first, and last. That they work is the lab's to say."""

from __future__ import annotations

from tests.ansible.test_units import ROLES

BOOT = ROLES / "boot" / "files" / "libexec"
LOCK = "exec 9>/run/nasweb-boot-copy.lock\n"


def in_order(text: str, *parts: str) -> bool:
    """Whether each part comes after the one before it."""
    places = [text.find(part) for part in parts]
    return -1 not in places and places == sorted(places)


def test_one_at_a_time_writes_the_boot_loader_of_a_half() -> None:
    text = (BOOT / "nasweb-boot-copy").read_text()
    assert in_order(text, LOCK, "flock --timeout 240 9 ||", "grub-install", "mkfs.vfat", "mount -t vfat")


def test_udev_takes_no_partition_away_while_the_boot_loader_is_written() -> None:
    # On a slow machine the ESP was gone when GRUB for a BIOS had been written: udev read the table anew.
    text = (BOOT / "nasweb-boot-copy").read_text()
    assert in_order(
        text, 'exec 8<"$disk"', "flock --timeout 240 8 ||", "grub-install", "mkfs.vfat", "mount -t"
    )
    assert text.endswith('umount "$mount"\nflock --unlock 8\nudevadm settle --timeout=120\n')


def test_nobody_looks_into_an_esp_that_is_written_and_the_lock_is_free_for_who_writes() -> None:
    text = (BOOT / "nasweb-boot-copies").read_text()
    parts = (
        "flock --timeout 240 9 &&",
        "mount -t vfat -o ro",
        "flock --unlock 9",
        "libexec/nasweb-boot-copy ",
    )
    assert in_order(text, LOCK, *parts)


def test_what_is_unmounted_in_the_copy_of_the_system_stays_mounted_outside_of_it() -> None:
    # Within a service's own namespace systemd shares all mounts. Without “slave” the old system below /run,
    # /proc and /dev went together with what is bound into the copy, and the program ended there each time.
    text = (BOOT / "nasweb-boot-convert").read_text()
    assert [line.strip() for line in text.splitlines() if "--rbind" in line] == [
        'for folder in dev proc sys run; do must mount --rbind --make-rslave "/$folder" "$new/$folder"; done'
    ]


def test_the_old_system_is_not_mounted_into_itself() -> None:
    # What was mounted by then, of the same disk, was taken for one more of its file systems.
    text = (BOOT / "nasweb-boot-convert").read_text()
    opening = text[text.index("open_both() {") :]
    assert in_order(opening, "mounted=$(findmnt", 'must mount "$root" "$old"', "while read -r", "$mounted")


def test_what_fails_in_the_copy_is_told_with_its_reason() -> None:
    text = (BOOT / "nasweb-boot-convert").read_text()
    assert 'fail "$* ended with $?: $(tail -n 1 "$log")"' in text
    mounts = [line.strip() for line in text.splitlines() if line.strip().startswith("mount ")]
    assert mounts == []


def test_the_second_copy_sees_a_file_that_was_written_within_the_second_of_the_first_one() -> None:
    # A database's pages change neither its size nor, in whole seconds, its time.
    text = (BOOT / "nasweb-boot-convert").read_text()
    assert "rsync --archive --modify-window=-1 " in text


def test_a_machine_that_cannot_restart_forgets_that_it_was_to_start_from_the_copy() -> None:
    # Else it would start from an old copy, whenever it starts next.
    text = (BOOT / "nasweb-boot-convert").read_text()
    start = text[text.index("start_once() {") :]
    assert in_order(
        start, "trap '' TERM", "once=yes", "grub-reboot", "systemctl reboot", "|| fail", "halted=\n"
    )
    left = text[text.index("leave() {") :]
    assert in_order(left, '[ "$status" != 0 ] && [ -n "$once" ]', "grubenv unset next_entry")


def test_what_was_stopped_for_the_second_copy_starts_again_however_that_ends() -> None:
    text = (BOOT / "nasweb-boot-convert").read_text()
    assert 'if [ -n "$halted" ]; then systemctl start --no-block $halted' in text


def test_a_key_and_a_certificate_that_were_parted_are_made_anew_at_the_next_start() -> None:
    text = (ROLES / "services" / "files" / "libexec" / "nasweb-keys").read_text()
    assert in_order(
        text, "sync key.new certificate.new", "mv key.new key.pem", "mv certificate.new certificate.pem"
    )
    assert "[ ! -s key.pem ] || { made_here && ! pair; }; then\n" in text
