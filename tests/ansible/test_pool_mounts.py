"""What the start of the machine mounts: by the console's rule, and nothing by what a pool asks for."""

from __future__ import annotations

import importlib.util

import yaml

from host.commands.starting import RELEASE
from tests.ansible.units import MAKES_A_MOUNT_NAMESPACE, ROLES, settings

PROGRAM = ROLES / "boot" / "files" / "libexec" / "nasweb-mount-pools"
DROP_IN = settings(ROLES / "boot" / "files" / "units" / "zfs-mount.service.d" / "nasweb.conf")


def test_zfs_mount_a_is_replaced_by_the_console_s_program() -> None:
    # Emptied, and then ours: a oneshot service would run both.
    assert DROP_IN["ExecStart"] == ["", f"/usr/local/libexec/{PROGRAM.name}"]
    assert PROGRAM.stat().st_mode & 0o111
    module = "host.programs.mount_pools"
    assert importlib.util.find_spec(module) is not None
    text = PROGRAM.read_text()
    assert f"release={RELEASE}\n" in text
    assert f"exec .venv/bin/python -m {module}\n" in text


def test_its_place_in_the_start_stays_and_its_mounts_are_everyones() -> None:
    assert {"After", "Before", "DefaultDependencies", "WantedBy", "Type"} & DROP_IN.keys() == set()
    assert MAKES_A_MOUNT_NAMESPACE & DROP_IN.keys() == set()
    assert DROP_IN["NoNewPrivileges"] == ["yes"]
    # /opt on a file system of its own is there before, and /var and /home are not needed.
    assert DROP_IN["RequiresMountsFor"] == ["/opt/nasweb /usr/local/libexec"]


def test_a_release_from_before_the_program_starts_as_it_did() -> None:
    # `nasweb-release back` leaves the drop-in, of which the older release knows nothing.
    lines = PROGRAM.read_text().splitlines()
    guard = '[ -e "$release/host/programs/mount_pools.py" ] || exec zfs mount -a'
    assert lines.index(guard) < lines.index('cd "$release"')


def test_the_machine_has_a_number_by_which_its_pools_are_known() -> None:
    steps = yaml.safe_load((ROLES / "base" / "tasks" / "main.yml").read_text())
    names = [step["name"] for step in steps]
    numbering = names.index("Give the machine a number of its own")
    assert steps[numbering]["ansible.builtin.command"] == {"cmd": "zgenhostid", "creates": "/etc/hostid"}
    assert names.index("Install OpenZFS") < numbering < names.index("Load OpenZFS")


def test_pools_do_not_share_themselves() -> None:
    steps = yaml.safe_load((ROLES / "base" / "tasks" / "main.yml").read_text())
    names = [step["name"] for step in steps]
    masking = names.index("Keep pools from sharing themselves at a start")
    assert steps[masking]["ansible.builtin.command"]["argv"] == ["systemctl", "mask", "zfs-share.service"]
    assert masking < names.index("Install OpenZFS")
    enabled = steps[names.index("Bring pools back after a boot, and watch them")]
    assert "zfs-share" not in str(enabled)
    assert "zfs-mount.service" in str(enabled)
