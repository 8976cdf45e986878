"""A copy from its first command to its last, and what becomes of the settings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from host.base import HostError
from host.programs.boot_convert.program import STOPPED, main
from tests.host.programs.convert_bench import ARRAY, COPY, DISK, EXT4, LEAVE, MD, NEW, OLD, PROBES, Machine

FIELDS = [
    "state", "array", "disk", "done_bytes", "total_bytes", "started_at", "updated_at", "words",
]  # fmt: skip
RSYNC = COPY[6]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_everything_happens_in_this_order(machine: Machine) -> None:
    assert machine.start("copy") == 0
    assert machine.lines == [*PROBES, *COPY, *LEAVE]
    assert (machine.ready_as, machine.mounted, machine.stop.listens) == (["copying"], [], True)


def test_the_report_is_one_line_with_these_fields(machine: Machine) -> None:
    machine.used[NEW] = 4_100  # the copy's journal is larger
    assert machine.start("copy") == 0
    assert list(machine.fields()) == FIELDS
    assert machine.text("/var/lib/nasweb-boot/convert.json") == (
        f'{{"state":"copied","array":"{MD}","disk":"usb-SanDisk_Cruzer_Fit_4C53-0:0","done_bytes":4000,'
        '"total_bytes":4000,"started_at":"2026-11-22T20:00:00+00:00",'
        '"updated_at":"2026-11-22T20:00:00+00:00","words":""}\n'
    )
    assert [file.name for file in machine.system().notes.iterdir()] == ["convert.json"]


def test_the_report_says_meanwhile_how_far_it_is(machine: Machine) -> None:
    seen: list[tuple[str, int, int]] = []

    def note() -> None:
        report = machine.report()
        seen.append((report.state, report.done_bytes, report.total_bytes))

    def first() -> None:
        note()
        machine.used[NEW] = 2_500  # by the next report, ten seconds later

    machine.before = {COPY[0]: note, RSYNC: first, COPY[7]: note}
    assert machine.start("copy") == 0
    assert seen == [("copying", 0, 0), ("copying", 1_500, 4_000), ("copying", 2_500, 4_000)]


def test_the_copy_differs_from_the_old_system_in_its_settings(machine: Machine) -> None:
    machine.put(f"{NEW}/etc/mdadm/mdadm.conf", "MAILADDR root\nARRAY /dev/md/root UUID=1:2\n")
    custom = "set theme=x\n# nasweb begin\nmenuentry\n# nasweb end\n"
    machine.put(f"{NEW}/boot/grub/custom.cfg", custom)
    assert machine.start("copy") == 0
    assert machine.text(f"{NEW}/etc/fstab") == (
        f"UUID={EXT4} / ext4 noatime,errors=remount-ro 0 1\n"
        "# made by the installer\n"
        'LABEL="media" /media/disk ext4 nofail 0 2\n'
    )
    assert machine.text(f"{NEW}/etc/mdadm/mdadm.conf") == (
        f"MAILADDR root\nARRAY /dev/md/root metadata=1.2 UUID={MD}\n"
    )
    assert machine.text(f"{NEW}/etc/initramfs-tools/conf.d/resume") == "RESUME=none\n"
    assert machine.text(f"{NEW}/etc/initramfs-tools/conf.d/zz-nasweb-boot") == "MODULES=most\n"
    assert machine.text(f"{NEW}/boot/grub/custom.cfg") == "set theme=x\n"
    assert not (machine.root / f"{NEW}/boot/grub/grubenv".lstrip("/")).exists()


def test_bytes_beyond_utf_8_stay_as_they_are(machine: Machine) -> None:
    file = machine.put(f"{OLD}/etc/fstab", "")

    def put() -> None:
        file.write_bytes(b"//nas/\xe4 /mnt/x cifs ro 0 0\n")

    machine.before = {RSYNC: put}
    assert machine.start("copy") == 0
    assert b"//nas/\xe4 /mnt/x cifs ro 0 0\n" in (machine.root / f"{NEW}/etc/fstab".lstrip("/")).read_bytes()


def test_files_that_went_meanwhile_do_no_harm(machine: Machine) -> None:
    machine.failing = {RSYNC: 24}
    assert machine.start("copy") == 0
    assert machine.report().state == "copied"


def test_a_copy_without_an_initramfs_is_none(machine: Machine) -> None:
    machine.initramfs = False
    assert machine.start("copy") == 1
    report = machine.report()
    assert (report.state, report.words) == (
        "failed", "There is no initramfs for 6.12.48+deb13-amd64 in the copy.",
    )  # fmt: skip
    assert (machine.lines[-2:], machine.mounted) == (LEAVE, [])


def plain(text: str) -> str:
    return "".join(sign if sign.isalnum() or sign in " .,:;()/_=+-" else " " for sign in text)[:300]


@pytest.mark.parametrize("line", COPY)
def test_whatever_fails_is_reported_and_unmounted(machine: Machine, line: str) -> None:
    machine.failing = {line: 9}
    assert machine.start("copy") == 1
    report = machine.report()
    typed = (
        "rsync"
        if line == RSYNC
        else line.replace("/run/nasweb-convert", f"{machine.root}/run/nasweb-convert")
    )
    assert (report.state, report.words) == ("failed", plain(f"{typed} ended with 9: it broke"))
    last = COPY.index(line)
    assert machine.worked() == [*COPY[: last + 1], *LEAVE]
    assert machine.mounted == []
    assert machine.progress is None


def test_words_are_short_and_plain(machine: Machine) -> None:
    machine.failing = {RSYNC: HostError(f"first\nIt's “broken” & done\t{'x' * 400}")}
    assert machine.start("copy") == 1
    assert machine.report().words == f"It s  broken    done {'x' * 279}"


def test_what_nobody_foresaw_is_reported_and_raised(machine: Machine) -> None:
    machine.failing = {RSYNC: ZeroDivisionError("by zero")}
    with pytest.raises(ZeroDivisionError):
        machine.start("copy")
    report = machine.report()
    assert (report.state, report.words) == ("failed", "The program itself broke: by zero")
    assert (machine.lines[-2:], machine.mounted) == (LEAVE, [])


def test_a_system_that_is_not_ready_to_listen_gets_no_copy(machine: Machine) -> None:
    def refuse() -> None:
        raise ConnectionRefusedError(111, "Connection refused")

    system = machine.system()._replace(ready=refuse)
    assert main(["copy", ARRAY, DISK], host=machine, system=system, stop=machine.stop) == 1
    assert (machine.worked(), machine.report().state) == (LEAVE, "failed")


@pytest.mark.parametrize("line", COPY)
def test_someone_may_stop_it_at_any_command(machine: Machine, line: str) -> None:
    machine.before = {line: machine.stop.ask}
    assert machine.start("copy") == 0
    report = machine.report()
    assert (report.state, report.words) == ("stopped", STOPPED)
    assert machine.worked() == [*COPY[: COPY.index(line) + 1], *LEAVE]
    assert (machine.mounted, machine.stop.ignores, machine.progress) == ([], True, None)


def asking(machine: Machine, original: Callable[..., object]) -> Callable[..., object]:
    """The same, while someone asks for the end."""

    def asked(*arguments: object) -> object:
        machine.stop.ask()
        return original(*arguments)

    return asked


@pytest.mark.parametrize("moment", ["ready", "used", "repeated"])
def test_between_two_commands_it_ends_with_the_next_one(machine: Machine, moment: str) -> None:
    system = machine.system()
    changed: dict[str, Any] = {moment: asking(machine, getattr(system, moment))}
    system = system._replace(**changed)
    assert main(["copy", ARRAY, DISK], host=machine, system=system, stop=machine.stop) == 0
    assert machine.report().state == "stopped"
    assert (machine.lines[-2:], machine.mounted) == (LEAVE, [])
    begun = {"ready": 0, "used": 5, "repeated": 6}[moment]
    assert machine.worked() == [*COPY[:begun], *LEAVE]


def test_who_asks_twice_disturbs_nothing_that_cleans_up(machine: Machine) -> None:
    machine.before = {RSYNC: machine.stop.ask, LEAVE[0]: machine.stop.ask, LEAVE[1]: machine.stop.ask}
    assert machine.start("copy") == 0
    assert (machine.lines[-2:], machine.mounted) == (LEAVE, [])
    assert machine.report().state == "stopped"


def test_who_asks_while_a_failure_is_cleaned_up_leaves_it_a_failure(machine: Machine) -> None:
    machine.failing, machine.before = {RSYNC: 23}, {LEAVE[0]: machine.stop.ask}
    assert machine.start("copy") == 1
    assert (machine.lines[-2:], machine.report().state) == (LEAVE, "failed")
