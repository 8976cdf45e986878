"""The health report in words."""

from __future__ import annotations

import msgspec

from alerts.channels.words import Sender
from alerts.report.value import (
    CopyHealth,
    DiskHealth,
    FindingHealth,
    HealthReport,
    IncidentHealth,
    MachineHealth,
    PoolHealth,
    ScheduleHealth,
    ScrubHealth,
    SnapshotHealth,
)
from alerts.report.words import growth, message, pool_line

SENDER = Sender(machine="nas", address="https://nas.local", time_zone="Europe/Berlin")
TIB = 1 << 40
POOL = PoolHealth(
    name="tank", health="healthy", used_bytes=3 * TIB, available_bytes=TIB, growth_bytes_per_day=1e9,
    full_in_days=(40.0, 90.0), data_errors=0,
    last_scrub=ScrubHealth(finished_at="2026-11-01T03:00:00Z", duration_s=7200, repaired_bytes=0, errors=0),
)  # fmt: skip
COPY = CopyHealth(
    kind="replication", name="photos", source="tank/photos", target="attic",
    copied_at="2026-11-25T03:00:00Z", longest_age_s=26 * 3600, late=False, proven_at=None,
)  # fmt: skip
GOOD = HealthReport(
    as_of="2026-11-25T23:30:00.000+00:00", since="2026-10-26T23:30:00Z", state="good", attention=0,
    machine=MachineHealth(
        name="nas", version="1.0", kernel="6.12", zfs_module_version="2.3.9", memory_bytes=1 << 35, ecc="yes",
        booted_at="2026-11-02T08:00:00Z",
    ),
    pools=(POOL,), disks=(), disks_asleep=0, snapshots=(), snapshots_overdue=0,
    copies=(COPY,), smb_shares=2, nfs_shares=1, boot=None,
    incidents=(), findings=(), schedules=(), changes=(),
    left_out={"incidents": 0, "snapshots": 0, "changes": 0},
)  # fmt: skip


def disk(number: int, **changes: object) -> DiskHealth:
    made = DiskHealth(
        id=f"ata-{number}", bay=f"A{number}", model="WD40", serial=f"S{number}", pool="tank",
        power_on_hours=17532, health="good", smart_passed=True, reallocated_sectors=0, pending_sectors=0,
        uncorrectable_sectors=0, crc_errors=0, read_errors=0, write_errors=0, checksum_errors=0,
        lowest_celsius=24, highest_celsius=41,
    )  # fmt: skip
    return msgspec.structs.replace(made, **changes)


def test_a_healthy_machine_is_said_to_be_one() -> None:
    report = message(msgspec.structs.replace(GOOD, disks=(disk(1),)), SENDER)
    assert report.severity == "info"
    assert report.subject == "[nas] Health report of 2026-11-26: everything is in good health"
    assert report.text == "\n".join(
        (
            "Everything is in good health.",
            "",
            "nas, Nasweb 1.0, OpenZFS 2.3.9, running since 2026-11-02.",
            "The system is on one disk. Shares: 2 by SMB, 1 by NFS.",
            "",
            "Pools:",
            f"- {pool_line(POOL)}",
            "",
            "Disks:",
            "- bay A1: WD40, serial S1, 2.0 years, 24 to 41 °C, good",
            "",
            "No dataset has a snapshot policy.",
            "",
            "Second copies: 1, none late.",
            "",
            "The whole report: https://nas.local/health/",
        )
    )
    shown = "tank: healthy, 75 % full, 1 TiB free, full in 40 days to 90 days, scrubbed 2026-11-01, no errors"
    assert pool_line(POOL) == shown


def test_what_needs_attention_is_said_with_where_it_is() -> None:
    late = SnapshotHealth(
        dataset="tank/a", policy="hourly=1", newest_at=None, age_s=9e5, longest_age_s=9e3, overdue=True
    )
    gone = IncidentHealth(
        id=1, severity="critical", title="Disk in bay A1 is gone", opened_at="2026-11-20T01:00:00Z",
        closed_at=None, lasted_s=5e5, acknowledged=False,
    )  # fmt: skip
    report = message(
        msgspec.structs.replace(
            GOOD, state="critical", attention=4, disks=(disk(1, checksum_errors=3, health="failing"),),
            snapshots=(late,), snapshots_overdue=1,
            incidents=(gone, msgspec.structs.replace(gone, closed_at="2026-11-20T03:00:00Z", lasted_s=7200)),
            findings=(
                FindingHealth(code="a", severity="warning", title="No copy of tank"),
                FindingHealth(code="b", severity="advice", title="Not said"),
            ),
            schedules=(ScheduleHealth(what="scrub", pool="tank", since="2026-11-20T01:00:00Z", said=""),),
        ),
        SENDER,
    )  # fmt: skip
    assert report.severity == "critical"
    assert report.subject.endswith(": 4 things need attention, some of it now")
    assert "health failing, 3 checksum errors" in report.text
    assert "Snapshots are overdue (1 of 1 datasets):\n- tank/a" in report.text
    assert "- Disk in bay A1 is gone: open since 2026-11-20 (critical)" in report.text
    assert "- Disk in bay A1 is gone: 2026-11-20, resolved after 2 hours" in report.text
    assert "The doctor says:\n- No copy of tank" in report.text and "Not said" not in report.text
    assert "Schedules that failed:\n- scrub of tank" in report.text


def test_of_a_hundred_disks_those_with_a_finding_are_named() -> None:
    many = tuple(disk(number) for number in range(1, 101))
    assert (
        "Disks: 100, none of them with a finding."
        in message(msgspec.structs.replace(GOOD, disks=many), SENDER).text
    )
    one_ill = (*many[:99], disk(100, pending_sectors=8))
    text = message(msgspec.structs.replace(GOOD, disks=one_ill), SENDER).text
    assert "8 pending sectors\n- 99 disks without a finding" in text


def test_a_pool_that_does_not_answer_or_was_never_scrubbed() -> None:
    silent = msgspec.structs.replace(
        POOL, health="suspended", used_bytes=None, available_bytes=None, growth_bytes_per_day=None,
        last_scrub=None,
    )  # fmt: skip
    text = message(msgspec.structs.replace(GOOD, pools=(silent,)), SENDER).text
    assert "- tank: suspended, never scrubbed" in text
    assert growth(msgspec.structs.replace(POOL, full_in_days=(None, None))) == "not growing"
    assert growth(msgspec.structs.replace(POOL, full_in_days=(9.0, None))) == "full in 9 days at the earliest"


def test_second_copies_are_counted_and_late_ones_named() -> None:
    late = msgspec.structs.replace(COPY, late=True)
    never = msgspec.structs.replace(late, name="letters", copied_at=None)
    assert "Second copies: 1, none late." in message(GOOD, SENDER).text
    text = message(msgspec.structs.replace(GOOD, copies=(late, never)), SENDER).text
    assert "- photos, to attic: of 2026-11-25, should be at most 26 hours old" in text
    assert "- letters, to attic: not copied yet, should be at most 26 hours old" in text
    text = message(msgspec.structs.replace(GOOD, copies=()), SENDER).text
    assert "There is no second copy of any dataset." in text
