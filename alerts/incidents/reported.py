"""What only zed reports, and no probe of the machine shows. It is over once nothing was heard for a while.

A single request that took long is no incident: a disk that wakes up lets many wait at one moment. One that
fails does so again and again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from alerts import remedy
from alerts.evidence import Evidence, ZedTrouble
from alerts.incidents.cause import Cause, Kind, Severity, Spot
from alerts.incidents.members import Member, replacing
from alerts.remedy import Remedy
from host.inventory import Pool

_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)
CALM = {
    "delay": _HOUR, "deadman": _HOUR, "dio_verify_wr": _HOUR, "dio_verify_rd": _HOUR, "data": _DAY,
    "authentication": _DAY, "log_replay": _DAY, "config_cache_write": _DAY,
}  # fmt: skip
LONGEST_CALM = max(CALM.values())
_DELAYED_MOMENTS = 5  # pauses of ten seconds between them, and none of a quarter of an hour

# Of a pool: kind, severity, what the title says of it, what it means, and what to do.
_OF_POOL: dict[str, tuple[Kind, Severity, str, str, tuple[str, ...]]] = {
    "authentication": (
        "authentication-failed", "critical", "encrypted data failed its authentication",
        (
            "Blocks do not match the code that they were encrypted with: they were damaged, or changed by "
            "somebody without the key. ZFS gives none of that to programs."
        ),
        ("Restore what cannot be read from a backup.",
         "Test the memory (memtest86+, one whole night): it damages data before ZFS protects it."),
    ),
    "data": (
        "data-unread", "critical", "data could not be read",
        "No good copy of it was found, and programs got an error.",
        ("Restore what cannot be read from a snapshot or a backup.",),
    ),
    "log_replay": (
        "log-lost", "warning", "the last seconds before it was imported may be lost",
        "Its intent log could not be replayed. What programs wrote last, and relied on, may be missing.",
        ("Check the log vdev, and that its disks are present.",
         "Check databases and virtual machines that had their files on it."),
    ),
    "config_cache_write": (
        "cache-unwritten", "warning", "it may not be imported at the next start",
        "The list of pools to import, /etc/zfs/zpool.cache, could not be written.",
        ("Check that the system's disk is neither full nor read-only.",
         "After the next start, import the pool if it is missing."),
    ),
    "dio_verify_wr": (
        "direct-io", "warning", "a program changes data while it is being written",
        (
            "It writes past the cache (O_DIRECT) and does not leave its data alone meanwhile; ZFS refused "
            "these writes."
        ),
        ("Find the program, and switch direct I/O off in its settings.",
         "Or let ZFS use its cache all the same: “zfs set direct=disabled” on the dataset."),
    ),
    "dio_verify_rd": (
        "direct-io", "warning", "data read past the cache did not match its checksum",
        (
            "Either a program changed what it was reading into (O_DIRECT), or a disk returned wrong data; "
            "ZFS then read it once more."
        ),
        ("If disks of the pool count checksum errors too, check them first.",
         "Otherwise switch direct I/O off in the program's settings."),
    ),
}  # fmt: skip


def causes(members: Sequence[Member], memory: Evidence) -> Iterator[Cause]:
    """One for each disk that lets requests wait, and for each other thing that was reported of a pool."""
    by_guid = {member.leaf.guid: member for member in members}
    pools = {member.pool.guid: member.pool for member in members}
    done: set[str] = set()
    for one in sorted(memory.zed, key=lambda one: one.name != "deadman"):
        member, pool = by_guid.get(one.vdev_guid), pools.get(one.pool_guid)
        if one.name in {"deadman", "delay"} and member is not None:
            if one.name == "deadman" or one.moments >= _DELAYED_MOMENTS:
                yield (_hung if one.name == "deadman" else _delays)(one, member)
        elif one.name in _OF_POOL and pool is not None:
            cause = _of_pool(one, pool)
            if cause.key not in done:  # by several vdevs of the pool
                done.add(cause.key)
                yield cause


def _delays(one: ZedTrouble, member: Member) -> Cause:
    longest = f", the longest {one.longest_s:.0f} s" if one.longest_s is not None else ""
    return _of_disk(
        one, member, "disk-delays", "warning", "requests took longer than 30 seconds",
        (
            (
                f"{member.name}: {one.count} requests took longer than 30 seconds{longest}, at {one.moments} "
                "different times."
            ),
            (
                "A disk that wakes up may do that once. One that does it again and again is failing, or its "
                "cable or port is: everything that uses the pool waits for it."
            ),
        ),
    )  # fmt: skip


def _hung(one: ZedTrouble, member: Member) -> Cause:
    return _of_disk(
        one, member, "disk-hung", "critical", "a request has not come back for minutes",
        (
            f"{member.name}: ZFS has waited for more than five minutes for a request.",
            (
                f"Programs that use {member.pool.name} may be waiting, too. The disk, its cable or its "
                "controller is stuck."
            ),
        ),
    )  # fmt: skip


def _of_disk(
    one: ZedTrouble, member: Member, kind: Kind, severity: Severity, what: str, report: tuple[str, ...]
) -> Cause:
    pool, disk = member.pool, member.disk
    steps = [remedy.locate(disk)] if disk else []
    steps.append(Remedy(words="Check its cable, and that it is firmly seated in the bay; try another bay."))
    if disk is not None:
        words = "Check its SMART values and run a long self-test."
        steps.append(Remedy(words=words, page=f"/disks/{disk.id}/", label="Open the disk"))
    steps += replacing(member, "If it stays so, replace it.")
    spots: tuple[Spot, ...] = (member.spot,) if member.spot else ()
    return Cause(
        key=f"{one.name}:{member.leaf.guid}", kind=kind, severity=severity, pool=pool.name,
        pool_guid=pool.guid, title=f"{member.short}: {what}", details=report, steps=tuple(steps),
        subjects=(member.subject, *((f"disk:{disk.id}",) if disk else ())), spots=spots, since=one.since,
    )  # fmt: skip


def _of_pool(one: ZedTrouble, pool: Pool) -> Cause:
    kind, severity, what, meaning, steps = _OF_POOL[one.name]
    often = "Once" if one.count == 1 else f"{one.count} times"
    words = "Scrub, so that everything is read, and repaired where there is a good copy."
    scrub = (remedy.scrub(pool.name, words),) if severity == "critical" else ()
    # Files that a probe names are the same incident, told better.
    subject = f"data:{pool.guid}" if one.name == "data" else f"{kind}:{pool.guid}"
    return Cause(
        key=f"{kind}:{pool.guid}", kind=kind, severity=severity, pool=pool.name, pool_guid=pool.guid,
        title=f"{pool.name}: {what}", details=(meaning, f"{often}, as zed reported."),
        steps=(*scrub, *(Remedy(words=words) for words in steps)), subjects=(subject,), since=one.since,
    )  # fmt: skip
