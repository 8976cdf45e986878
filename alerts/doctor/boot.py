"""Whether pools come back by themselves at the next start, and whether memory is checked.

zfs-import-cache.service imports what /etc/zfs/zpool.cache names; zfs-import-scan.service searches all disks
only where there is no such file (OpenZFS, etc/systemd/system). A pool whose property cachefile is `none`, or
another file, is in neither.
"""

from __future__ import annotations

from collections.abc import Iterator

from alerts.doctor.finding import MACHINE, Check, DoctorFinding, Patient, Unexamined, figure, of_pool
from alerts.remedy import Remedy, as_root

_USUAL = {None, "/etc/zfs/zpool.cache"}


def _cachefile(patient: Patient) -> Iterator[DoctorFinding | Unexamined]:
    start = patient.inventory.facts.boot_import
    for pool in patient.pools:
        back = start.brings_back(pool.guid) if start else None
        odd = pool.cachefile not in _USUAL
        if back is None and not odd:
            yield Unexamined(words=f"It is not known whether {pool.name} will be imported at the next start.")
        if back is True or (back is None and not odd):
            continue
        evidence = [figure("cachefile", pool.cachefile or "/etc/zfs/zpool.cache")]
        if start is not None:
            cached = start.cached is not None and pool.guid in start.cached
            evidence += [
                figure("In the cache file", "yes" if cached else "no"),
                figure("zfs-import-cache.service", start.from_cache),
                figure("zfs-import-scan.service", start.by_scan),
            ]
        yield DoctorFinding(
            code="not-imported-at-start", severity="warning", subject=of_pool(pool),
            title=f"{pool.name} will not be imported at the next start",
            why="Nothing is lost, but until somebody imports it by hand its shares are empty, and programs "
            "may write into the empty folders where it would be mounted.",
            evidence=tuple(evidence),
            fix=(
                Remedy(
                    words="Add it to the usual cache file, and use that at the start:",
                    commands=(
                        as_root("zpool", "set", "cachefile=/etc/zfs/zpool.cache", pool.name),
                        "sudo systemctl enable zfs-import-cache.service zfs-import.target zfs-mount.service",
                    ),
                ),
            ),
        )  # fmt: skip


def _mounting(patient: Patient) -> Iterator[DoctorFinding | Unexamined]:
    start = patient.inventory.facts.boot_import
    if start is None or start.mounting == "unknown":
        yield Unexamined(words="It is not known whether datasets will be mounted at the next start.")
    elif start.mounting != "enabled" and patient.inventory.pools:
        yield DoctorFinding(
            code="not-mounted-at-start", severity="warning", subject=MACHINE,
            title="Datasets will not be mounted at the next start",
            why="The pools are imported, but their folders stay empty until somebody mounts them.",
            evidence=(figure("zfs-mount.service", start.mounting),),
            fix=(Remedy(words="Enable it:", commands=("sudo systemctl enable zfs-mount.service",)),),
        )  # fmt: skip


def _watched(patient: Patient) -> Iterator[DoctorFinding | Unexamined]:
    start = patient.inventory.facts.boot_import
    if not patient.inventory.pools:
        return
    if start is None or start.watched is None:
        yield Unexamined(words="It is not known whether ZFS's event daemon (zed) runs.")
    elif not start.watched or start.watching in {"disabled", "missing"}:
        yield DoctorFinding(
            code="zed-stopped", severity="warning", subject=MACHINE,
            title="ZFS's event daemon (zed) does not run" if not start.watched
            else "ZFS's event daemon (zed) will not run after the next start",
            why="It reports faults of disks when they happen, and brings in a spare disk when one fails. "
            "Without it no spare takes over, and faults are noticed only by what the next probe counts.",
            evidence=(
                figure("zfs-zed.service", start.watching),
                figure("Runs", "yes" if start.watched else "no"),
            ),
            fix=(
                Remedy(
                    words="Start it, now and at every start:",
                    commands=("sudo systemctl enable --now zfs-zed.service",),
                ),
            ),
        )  # fmt: skip


def _ecc(patient: Patient) -> Iterator[DoctorFinding]:
    """ZFS trusts what is in memory; openzfs-docs, "Hardware", "ECC Memory"."""
    ecc: str = patient.inventory.facts.ecc
    if ecc != "yes":
        known = ecc == "no"
        yield DoctorFinding(
            code="no-ecc", severity="advice", subject=MACHINE, for_good=True,
            title="The memory of this machine has no error correction (ECC)" if known
            else "This machine's memory has no error correction (ECC), or Linux has no driver that reports "
            "it",
            why="ZFS detects what disks corrupt, but trusts what is in memory. Without ECC a "
            "flipped bit "
            "is written with a valid checksum, and nothing warns you. Many accept that risk.",
            evidence=(figure("ECC", "none, says the firmware" if known else "not known: neither a driver "
                             "(EDAC) nor the firmware reports it"),),
            fix=(Remedy(words="Test the memory once a year (memtest86+); choose ECC for the next machine."),),
        )  # fmt: skip


CHECKS = (
    Check(
        code="not-imported-at-start",
        passed="Every pool will be imported at the next start",
        examine=_cachefile,
    ),
    Check(code="not-mounted-at-start", passed="Datasets are mounted at the next start", examine=_mounting),
    Check(code="zed-stopped", passed="ZFS's event daemon runs", examine=_watched),
    Check(code="no-ecc", passed="The memory is checked by ECC", examine=_ecc),
)
