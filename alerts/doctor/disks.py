"""What disks count over months, and self-tests that are overdue. `disks.trends` has the rules and sources."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from alerts import remedy
from alerts.doctor.finding import Check, DoctorFinding, Patient, figure, of_disk
from alerts.evidence import KnownDisk
from alerts.remedy import Remedy
from disks.links import disk_href
from disks.trends import Code, Trend, trends
from host.inventory import Disk
from jobs.wording import counted

_TITLES: dict[Code, str] = {
    "sectors-rising": "has more and more bad sectors",
    "crc-rising": "counts CRC errors: a cable or backplane, not the disk",
    "wear-ending": "will be worn out within a year",
    "spare-falling": "loses spare blocks",
}
_WHY: dict[Code, str] = {
    "sectors-rising": "Most disks that failed had a rising count of bad sectors for weeks before.",
    "crc-rising": "Transfers between disk and controller arrive damaged and are repeated. It works until it "
    "does not: ZFS then reports errors on a disk that is well.",
    "wear-ending": "Past its rated endurance a disk may refuse writes or lose data while it is turned off.",
    "spare-falling": "When no spare blocks are left, the next block that wears out is lost.",
}


def _trend(code: Code) -> Callable[[Patient], Iterator[DoctorFinding]]:
    def examine(patient: Patient) -> Iterator[DoctorFinding]:
        for disk in patient.inventory.disks:
            known = patient.memory.disks.get(disk.id)
            if known is None or _reported_already(code, disk, known):
                continue
            for trend in trends(known.days, patient.at.date()):
                if trend.code == code:
                    yield _finding(trend, disk)

    return examine


def _reported_already(code: Code, disk: Disk, known: KnownDisk) -> bool:
    """By the incidents of failing disks and of cables, which look at the last week."""
    if code == "sectors-rising":
        return disk.health == "failing"
    in_pool = any(claim.kind == "pool" for claim in disk.claims)
    return code == "crc-rising" and in_pool and known.grown("crc_errors") > 0


def _finding(trend: Trend, disk: Disk) -> DoctorFinding:
    place = f"Bay {disk.bay}" if disk.bay else disk.model
    return DoctorFinding(
        code=trend.code, severity=trend.severity, subject=of_disk(disk),
        title=f"{place}: the disk {_TITLES[trend.code]}", why=_WHY[trend.code],
        evidence=(figure("Counted", trend.words),),
        fix=(
            Remedy(words=trend.advice, page=disk_href(disk.id), label="Open the disk"), remedy.locate(disk),
        ),
    )  # fmt: skip


def _overdue(patient: Patient) -> Iterator[DoctorFinding]:
    for one in patient.memory.tests_overdue:
        disk = patient.inventory.disk(one.disk)
        if disk is None:
            continue
        place = f"Bay {disk.bay}" if disk.bay else disk.model
        age = "never ran" if one.days is None else f"last ran {counted(one.days, 'day')} ago"
        yield DoctorFinding(
            code="self-test-overdue", severity="advice", subject=of_disk(disk),
            title=f"{place}: the {one.kind} self-test {age}",
            why="A self-test reads what nobody asks for, and finds damage while the pool can still "
            "repair it.",
            evidence=(figure("It waits", one.waits),),
            fix=(
                Remedy(words="Start it now; the disk stays usable.", operation="disk.smart-test",
                       request={"disk": disk.id, "kind": one.kind}),
                Remedy(words="Look when disks test themselves.", page="/self-tests/", label="Self-tests"),
            ),
        )  # fmt: skip


CHECKS = (
    Check(code="sectors-rising", passed="No disk has a rising count of bad sectors",
          examine=_trend("sectors-rising")),
    Check(code="crc-rising", passed="No cable damages transfers", examine=_trend("crc-rising")),
    Check(code="wear-ending", passed="No SSD will be worn out within a year", examine=_trend("wear-ending")),
    Check(code="spare-falling", passed="No SSD loses spare blocks", examine=_trend("spare-falling")),
    Check(code="self-test-overdue", passed="No self-test of a disk is overdue", examine=_overdue),
)  # fmt: skip
