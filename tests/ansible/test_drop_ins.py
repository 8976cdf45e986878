"""Drop-ins of our units: each is read, and none replaces what a more specific one or a command sets."""

from host.commands.base import Command
from host.commands.datasets.measuring import MeasureCompression, ScanFiles, What
from host.commands.pools.blocks import CountBlocks
from host.commands.pools.dedup import EstimateDedup
from host.commands.units import PREFIXES, REPORTS
from tests.ansible.units import UNITS, settings

# Of all others the last value counts: of drop-ins that one whose name sorts last, wherever it lies.
ADD_UP = {
    "AmbientCapabilities", "BindPaths", "BindReadOnlyPaths", "CapabilityBoundingSet", "DeviceAllow",
    "ExecPaths", "Environment", "IPAddressAllow", "IPAddressDeny", "InaccessiblePaths", "NoExecPaths",
    "ReadOnlyPaths", "ReadWritePaths", "RuntimeDirectory", "StateDirectory", "SystemCallFilter",
}  # fmt: skip


def test_drop_ins_are_in_the_folders_that_the_units_names_lead_to() -> None:
    for prefix in PREFIXES.values():
        assert prefix.startswith("nasweb-disk-")
    report = settings(UNITS / f"{PREFIXES['burn-in']}.service.d" / "report.conf")
    assert f"/var/lib/{report['StateDirectory'][0]}" == REPORTS


def test_no_drop_in_replaces_what_a_measurement_asks_for() -> None:
    """systemd reads drop-ins after the properties that a transient unit was started with."""
    run = "0" * 16
    commands: dict[What, Command] = {
        "compression": MeasureCompression(
            run=run, dataset="tank/a", tag="one", record_bytes=131072, ashift=12, embeds=True
        ),
        "files": ScanFiles(run=run, dataset="tank/a", tag="one"),
        "dedup": EstimateDedup(run=run, pool="tank", memory_mib=4096),
        "blocks": CountBlocks(run=run, pool="tank"),
    }
    for what, command in commands.items():
        asked = dict(
            one.removeprefix("--property=").split("=", 1) for one in command.argv() if "property" in one
        )
        folders = (f"nasweb-measure-{part}.service.d" for part in ("", f"{what}-"))
        dropped = settings(*(file for folder in folders for file in (UNITS / folder).glob("*.conf")))
        assert asked["MemoryMax"] == ("4096M" if what == "dedup" else "1024M"), what
        assert not asked.keys() & dropped.keys(), what


def test_what_a_more_specific_drop_in_sets_comes_last() -> None:
    """systemd.unit(5): drop-ins of all folders are applied in the order of their names."""
    wrong = []
    for folder in UNITS.glob("nasweb-*-.service.d"):
        prefix = folder.name.removesuffix(".service.d")
        for wider in UNITS.glob("nasweb-*-.service.d"):
            if folder == wider or not prefix.startswith(wider.name.removesuffix(".service.d")):
                continue
            for own in folder.glob("*.conf"):
                for other in wider.glob("*.conf"):
                    if own.name < other.name:
                        both = settings(own).keys() & settings(other).keys() - ADD_UP
                        same = {one for one in both if settings(own)[one] == settings(other)[one]}
                        wrong += [f"{own.parent.name}/{own.name}: {one}" for one in sorted(both - same)]
    assert wrong == []


def test_nothing_of_a_replication_outlives_its_program() -> None:
    """The connection that its commands share inherits the blocked SIGTERM: it kept each run for a minute."""
    found = settings(UNITS / "nasweb-replication-.service.d" / "sandbox.conf")
    assert found["KillMode"] == ["mixed"]
    for narrower in UNITS.glob("nasweb-replication-*-.service.d"):
        assert all("KillMode" not in settings(own) for own in narrower.glob("*.conf"))
