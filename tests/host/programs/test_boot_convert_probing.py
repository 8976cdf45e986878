"""What stands against a copy or a restart is found before anything is touched."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from host.base import HostUnavailable
from host.programs.boot_convert.program import main
from tests.host.programs.convert_bench import ARRAY, DISK, KERNEL, MD, MENU, PROBES, Machine

SECURE_BOOT = "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def without_link(link: str) -> Callable[[Machine], object]:
    return lambda machine: machine.links.pop(link)


def having(**changes: object) -> Callable[[Machine], object]:
    return lambda machine: machine.__dict__.update(changes)


def with_file(path: str, text: str) -> Callable[[Machine], object]:
    return lambda machine: machine.put(path, text)


def without_file(path: str) -> Callable[[Machine], object]:
    return lambda machine: (machine.root / path.lstrip("/")).unlink()


def report(state: str, array: str) -> str:
    return (
        f'{{"state":"{state}","array":"{array}","disk":"x","done_bytes":1,"total_bytes":1,'
        '"started_at":"2026","updated_at":"2026","words":""}\n'
    )


SECURE = (
    "Secure Boot is on: GRUB as it is written to the pair would not start. Turn it off in the firmware first."
)
NO_MENU = "/boot/grub/grub.cfg is not as Debian makes it. Run update-grub first."
REFUSALS: dict[str, tuple[Callable[[Machine], object], str]] = {
    "no array": (without_link(ARRAY), f"There is no array {ARRAY}."),
    "no disk": (without_link(DISK), f"There is no disk {DISK}."),
    "root on a disk": (
        having(root_source=("/dev/sda", "disk")),
        "The root is on /dev/sda, which is no partition of a disk.",
    ),
    "root on an array": (
        having(root_source=("/dev/md1", "raid1")),
        "The root is on /dev/md1, which is no partition of a disk.",
    ),
    "root on a dataset": (
        having(root_source=("tank/root", "")),
        "The root is on tank/root, which is no partition of a disk.",
    ),
    "onto itself": (
        having(links={ARRAY: "/dev/md127", DISK: "/dev/sda"}),
        f"The running system is on {DISK} itself.",
    ),
    "another disk": (having(array_on="/dev/sdc"), f"{ARRAY} is not on {DISK}."),
    "mounted": (having(array_mounts=[("/mnt/x", "/dev/md127", "ext4")]), f"{ARRAY} is mounted."),
    "another file system": (having(tags={"TYPE": "xfs", "UUID": "1"}), f"There is no ext4 on {ARRAY}."),
    "no file system": (having(tags={"TYPE": "", "UUID": ""}), f"There is no ext4 on {ARRAY}."),
    "no number": (having(detail="MD_LEVEL=raid1\n"), f"{ARRAY} or the ext4 on it has no UUID."),
    "no menu": (without_file("/boot/grub/grub.cfg"), NO_MENU),
    "a menu without next_entry": (
        with_file("/boot/grub/grub.cfg", MENU.replace("next_entry", "x")),
        NO_MENU,
    ),
    "a menu without custom.cfg": (
        with_file("/boot/grub/grub.cfg", MENU.replace("custom.cfg", "x")),
        NO_MENU,
    ),
    "another kernel": (
        without_file(f"/boot/vmlinuz-{KERNEL}"),
        f"The kernel that runs, {KERNEL}, is not in /boot. Restart the machine first.",
    ),
    "Secure Boot": (
        with_file(SECURE_BOOT, "\6\0\0\0\1"),
        SECURE,
    ),
    "nobody answers": (
        having(failing={PROBES[0]: HostUnavailable("first\nNobody answers.\n")}),
        "Nobody answers.",
    ),
    "mdadm fails": (
        having(failing={PROBES[6]: 1}),
        "mdadm --detail --export /dev/md127 ended with 1: it broke",
    ),
}


@pytest.mark.parametrize("why", REFUSALS)
@pytest.mark.parametrize("what", ["copy", "restart"])
def test_it_refuses_in_one_line_and_touches_nothing(
    machine: Machine, why: str, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    prepare, words = REFUSALS[why]
    prepare(machine)
    before = sorted(machine.root.rglob("*"))
    assert machine.start(what) == 3
    assert capsys.readouterr().err == f"{words}\n"
    assert sorted(machine.root.rglob("*")) == before
    assert (machine.ready_as, machine.stop.listens) == ([], False)
    assert machine.lines == PROBES[: len(machine.lines)] or why.startswith("root on")


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "{",
        '{"state":"dancing"}',
        report("copying", MD),
        report("failed", MD),
        report("stopped", MD),
        report("copied", "1:2:3:4"),
    ],
)
def test_without_a_whole_copy_there_is_no_restart(
    machine: Machine, text: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    if text is not None:
        machine.put("/var/lib/nasweb-boot/convert.json", text)
    assert machine.start("restart") == 3
    assert capsys.readouterr().err == "There is no whole copy of the system.\n"
    assert machine.lines == PROBES[:-1]


@pytest.mark.parametrize("state", ["copied", "restarting"])
def test_a_whole_copy_can_be_started_again_and_again(machine: Machine, state: str) -> None:
    machine.put("/var/lib/nasweb-boot/convert.json", report(state, MD))
    assert machine.start("restart") == 0


@pytest.mark.parametrize("content", ["\6\0\0\0\0", "", "\1"])
def test_firmware_without_secure_boot_stands_against_nothing(machine: Machine, content: str) -> None:
    machine.put(SECURE_BOOT, content)
    assert machine.start("copy") == 0


@pytest.mark.parametrize(
    "arguments", [[], ["copy", ARRAY], ["dance", ARRAY, DISK], ["copy", ARRAY, DISK, "x"]]
)
def test_a_wrong_call_ends_with_2(machine: Machine, arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments, host=machine, system=machine.system(), stop=machine.stop)
    assert ended.value.code == 2
    assert machine.lines == []
