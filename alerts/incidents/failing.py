"""Disks that fail or will soon fail: by ZFS's counters, and by SMART."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from alerts import remedy
from alerts.incidents.cause import Cause, Severity, Spot
from alerts.incidents.members import Member, redundancy_words, replacing, stand_in_words
from alerts.incidents.suspicion import suspect, words
from alerts.remedy import Remedy
from host.inventory import Disk, Inventory

_MANY = 3  # disks that have checksum errors at once: three do not go bad together


def causes(members: Sequence[Member], inventory: Inventory) -> Iterator[Cause]:
    """Faulted and offline members, members that count errors, and disks that SMART calls failing."""
    yield from _everywhere(members)
    for member in members:
        if member.leaf.state == "FAULTED":
            yield _faulted(member)
        elif member.leaf.state == "OFFLINE":
            yield _offline(member)
        elif member.leaf.state in {"ONLINE", "DEGRADED", "AVAIL", "INUSE"} and errors(member):
            yield _counting(member)
    yield from _by_smart(members, inventory)
    yield from _transfers(members)


def errors(member: Member) -> int:
    """All that ZFS counted on a leaf."""
    leaf = member.leaf
    return leaf.read_errors + leaf.write_errors + leaf.checksum_errors


def _everywhere(members: Sequence[Member]) -> Iterator[Cause]:
    """Checksum errors on several disks that SMART calls well: not the disks, but what they have in common.

    OpenZFS, "ZFS-8000-9P": errors on several devices at once point to the controller, cabling or memory.
    """
    by_pool: dict[str, list[Member]] = defaultdict(list)
    for member in members:
        if member.leaf.checksum_errors and suspect(member) not in {"disk", "cable"}:
            by_pool[member.pool.guid].append(member)
    for group in by_pool.values():
        if len(group) < _MANY:
            continue
        pool = group[0].pool
        controllers = {member.controller for member in group}
        shared = (
            f"They share one controller, {group[0].controller}: suspect it, its cable, its power, or the "
            "memory."
            if len(controllers) == 1 and None not in controllers
            else "They are on different controllers: what they share is the memory or the power supply."
        )
        counts = ", ".join(f"{member.short} {member.leaf.checksum_errors}" for member in group)
        yield Cause(
            key=f"checksums:{pool.guid}", kind="checksums-everywhere", severity="critical",
            extent=len(group), pool=pool.name, pool_guid=pool.guid,
            title=f"{len(group)} disks of {pool.name} have checksum errors",
            details=(
                f"Data read back differs from what was written: {counts}.",
                f"According to SMART, none of these disks is the cause. {shared}",
                "Do not replace disks because of this: new ones would show the same errors.",
            ),
            steps=(
                Remedy(words="Test the memory (memtest86+, one whole night); check cables and power."),
                remedy.scrub(pool.name, "Then scrub: ZFS repairs everything that has a good copy and lists "
                                        "the rest."),
                remedy.clear(pool.name, None, "Clear the counters, and see whether they rise again."),
            ),
            subjects=tuple(member.subject for member in group),
            spots=tuple(member.spot for member in group if member.spot),
        )  # fmt: skip


def _faulted(member: Member) -> Cause:
    pool = member.pool
    leaf = member.leaf
    counts = f"{leaf.read_errors} read, {leaf.write_errors} write, {leaf.checksum_errors} checksum errors"
    report = [f"ZFS faulted {member.name}: {counts}.", words(member)]
    report += [line for line in (stand_in_words(member), redundancy_words(member)) if line]
    steps = [remedy.locate(member.disk)] if member.disk else []
    if suspect(member) != "disk":
        steps.append(Remedy(words="Check its cable, and that it is firmly seated in the bay."))
        steps.append(
            remedy.clear(pool.name, leaf.guid, "Clear the errors to try again; it resilvers by itself.")
        )
    steps += replacing(member, "Replace it with another disk.")
    severity, impact = member.loss
    return Cause(
        key=f"leaf:{leaf.guid}", kind="disk-faulted", severity=severity, impact=impact, pool=pool.name,
        pool_guid=pool.guid, title=f"{member.short}: {pool.name} no longer uses this disk",
        details=tuple(report), steps=tuple(steps), subjects=_subjects(member), spots=_spots(member),
    )  # fmt: skip


def _severity(member: Member) -> Severity:
    """Of what alone would be a warning: a disk that SMART calls failing is no less urgent for it."""
    failing = member.disk is not None and member.disk.health == "failing"
    return "critical" if failing and not member.dispensable else "warning"


def _offline(member: Member) -> Cause:
    report = (f"{member.name} was taken offline by hand.", redundancy_words(member))
    return Cause(
        key=f"leaf:{member.leaf.guid}", kind="disk-offline", severity=_severity(member),
        pool=member.pool.name, pool_guid=member.pool.guid,
        title=f"{member.short}: offline in {member.pool.name}",
        details=report,
        steps=(
            remedy.online(member.pool.name, member.leaf.guid, "Bring it online again: it is resilvered "
                "with what it missed."),
            *replacing(member, "Or replace it with another disk."),
        ),
        subjects=_subjects(member), spots=_spots(member),
    )  # fmt: skip


def _counting(member: Member) -> Cause:
    leaf, pool = member.leaf, member.pool
    kinds = [
        f"{count} {kind} error{'' if count == 1 else 's'}"
        for count, kind in (
            (leaf.read_errors, "read"), (leaf.write_errors, "write"), (leaf.checksum_errors, "checksum")
        )
        if count
    ]  # fmt: skip
    meaning = (
        "Data read back differs from what was written; ZFS detected that and repaired it from the other "
        "disks."
        if leaf.checksum_errors and not (leaf.read_errors or leaf.write_errors)
        else "Some requests failed; ZFS repaired what it could from the other disks."
    )
    first = (
        replacing(member, "Replace it while the others are healthy.")
        if suspect(member) == "disk"
        else (Remedy(words="Check its cable and connector, and that it is firmly seated in the bay."),)
    )
    steps = (
        *((remedy.locate(member.disk),) if member.disk else ()),
        *first,
        remedy.scrub(pool.name, "Scrub, so that everything is read and repaired."),
        remedy.clear(pool.name, leaf.guid, "Clear its error counters, and see whether they rise again."),
    )
    return Cause(
        key=f"leaf:{leaf.guid}", kind="disk-errors", severity=_severity(member), pool=pool.name,
        pool_guid=pool.guid, title=f"{member.short}: {pool.name} reports errors on this disk",
        details=(f"{member.name}: {', '.join(kinds)}.", meaning, words(member)), steps=steps,
        subjects=_subjects(member), spots=_spots(member),
    )  # fmt: skip


def _by_smart(members: Sequence[Member], inventory: Inventory) -> Iterator[Cause]:
    by_disk = {member.disk.id: member for member in members if member.disk and member.top.role != "spare"}
    for disk in inventory.disks:
        if disk.health == "failing":
            yield _failing(disk, by_disk.get(disk.id))


def _failing(disk: Disk, member: Member | None) -> Cause:
    place = f"Bay {disk.bay}" if disk.bay else disk.serial or disk.id
    name = f"{disk.model}, serial {disk.serial or 'unknown'}"
    report = [f"{name} will probably fail soon, according to its own SMART data."]
    if disk.unwell:
        report.append(f"{'; '.join(disk.unwell)}.")
    steps = [remedy.locate(disk)]
    if member is None:
        report.append("Do not store anything on it.")
    else:
        report.append(words(member))
        report.append(
            redundancy_words(member)
            if member.dispensable
            else f"Replace it while {member.pool.name} still has redundancy."
        )
        steps += replacing(member, "Replace it with another disk.")
    return Cause(
        key=f"disk:{disk.id}", kind="disk-failing",
        severity=member.loss[0] if member else "critical",
        pool=member.pool.name if member else "", pool_guid=member.pool.guid if member else "",
        title=f"{place}: the disk is failing", details=tuple(report), steps=tuple(steps),
        subjects=(f"disk:{disk.id}", *((member.subject,) if member else ())),
        spots=_spots(member) if member else (),
    )  # fmt: skip


def _transfers(members: Sequence[Member]) -> Iterator[Cause]:
    """A cable that corrupts transfers, before ZFS notices: the drive repeats them, which works for now."""
    for member in members:
        if member.disk is None or suspect(member) != "cable" or member.memory is None:
            continue
        grown = member.memory.grown("crc_errors")
        yield Cause(
            key=f"cable:{member.disk.id}", kind="transfer-errors", severity="warning", pool=member.pool.name,
            pool_guid=member.pool.guid, title=f"{member.short}: CRC errors, check the cable",
            details=(f"{member.name}: {grown} new CRC errors within days.", words(member)),
            steps=(
                remedy.locate(member.disk),
                Remedy(words="Reseat both ends of its cable, or use another cable; try another bay."),
                Remedy(words="The count never goes down. When it stops rising, this alert ends by itself."),
            ),
            subjects=_subjects(member), spots=_spots(member),
        )  # fmt: skip


def _subjects(member: Member) -> tuple[str, ...]:
    return (member.subject, f"disk:{member.disk.id}") if member.disk else (member.subject,)


def _spots(member: Member) -> tuple[Spot, ...]:
    return (member.spot,) if member.spot else ()
