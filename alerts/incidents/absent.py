"""Disks that are not where a pool needs them: pulled, or dropped off their controller."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from alerts import remedy
from alerts.incidents.cause import Cause
from alerts.incidents.members import GONE, WELL, Member, redundancy_words, replacing, stand_in_words
from alerts.incidents.suspicion import suspect, words
from alerts.remedy import Remedy

# Disks of one cable or supply go within a second or two of each other; hands need longer between two bays.
_TOGETHER = timedelta(seconds=5)


def causes(members: Sequence[Member]) -> Iterator[Cause]:
    """One for each disk that is missing; one for all that went together from the same controller."""
    for group in _together([member for member in members if missing(member)]):
        yield _of_controller(group, members) if len(group) > 1 else _of_disk(group[0])


def missing(member: Member) -> bool:
    """Whether its pool runs without it: by ZFS's report, or because its disk has just left.

    What was never on a disk of its own (LUKS, LVM, md, multipath, a file) can be missed by ZFS alone.
    """
    return member.leaf.state in GONE or (member.leaf.state in WELL and member.gone_since is not None)


def _together(members: Sequence[Member]) -> Iterator[list[Member]]:
    """Groups that went within some seconds of each other from one controller; all others alone."""
    groups: list[list[Member]] = []
    for member in sorted(members, key=lambda one: one.gone_since or ""):
        for group in groups:
            if _same_moment(group[-1], member) and group[0].controller == member.controller is not None:
                group.append(member)
                break
        else:
            groups.append([member])
    yield from groups


def _same_moment(one: Member, other: Member) -> bool:
    if one.gone_since is None or other.gone_since is None:
        return False
    apart = datetime.fromisoformat(other.gone_since) - datetime.fromisoformat(one.gone_since)
    return abs(apart) <= _TOGETHER


def _of_controller(group: list[Member], members: Sequence[Member]) -> Cause:
    controller = group[0].controller
    left = [m for m in members if m.controller == controller and m not in group and m.disk is not None]
    pools = sorted({member.pool.name for member in group})
    shared = (
        f"Unless somebody pulled them: nothing on {controller} responds, so suspect the card, its cable or "
        "its power."
        if not left
        else f"Unless somebody pulled them: they are on {controller}, where {len(left)} other disks "
        "respond, so suspect a cable or power lead that these share rather than the card."
    )
    lines = [redundancy_words(member) for member in group]
    severity, impact = next((one for one in group if not one.dispensable), group[0]).loss
    spares = [line for member in group if (line := stand_in_words(member))]
    return Cause(
        key=f"controller:{controller}:{','.join(sorted(member.leaf.guid for member in group))}",
        kind="controller-gone", severity=severity, impact=impact,
        extent=len(group), pool=group[0].pool.name, pool_guid=group[0].pool.guid,
        title=f"{len(group)} disks of {' and '.join(pools)} disappeared at the same time",
        details=(
            f"Missing: {', '.join(member.short for member in group)}.", shared,
            "Disks rarely fail together: do not replace them before you have checked what they share.",
            *dict.fromkeys(lines), *dict.fromkeys(spares),
        ),
        steps=(
            Remedy(words="Check the cable and power lead that these bays share, and that the card is "
                         "seated properly."),
            Remedy(words="When they are back, ZFS adds them again by itself and writes what they missed."),
        ),
        subjects=tuple(member.subject for member in group),
        spots=tuple(member.spot for member in group if member.spot),
        since=group[0].gone_since,
        sure=any(member.leaf.state in GONE for member in group),
    )  # fmt: skip


def _of_disk(member: Member) -> Cause:
    pool = member.pool
    report = [f"{member.name} is not in the machine."]
    if member.disk is not None:
        report = [f"{member.name} is present, but {pool.name} reports it as {member.leaf.state.lower()}."]
    accused = suspect(member)
    if member.disk is None and accused in {"nobody", "unknown"}:
        report.append("There was no warning: it was pulled, or it lost its cable or power.")
    else:
        report.append(words(member))
    report += [line for line in (stand_in_words(member), redundancy_words(member)) if line]
    severity, impact = member.loss
    what = member.top.role if member.dispensable else "disk"
    state = "gone" if member.disk is None else "unavailable"
    return Cause(
        key=f"leaf:{member.leaf.guid}", kind="disk-gone", severity=severity, impact=impact,
        pool=pool.name, pool_guid=pool.guid,
        title=f"{member.short}: a {what} of {pool.name} is {state}",
        details=tuple(report), steps=tuple(_steps(member)), subjects=(member.subject, *_disk_subject(member)),
        spots=(member.spot,) if member.spot else (), since=member.gone_since,
        sure=member.leaf.state in GONE,
    )  # fmt: skip


def _steps(member: Member) -> Iterator[Remedy]:
    if member.disk is not None:
        yield remedy.locate(member.disk)
        yield remedy.online(member.pool.name, member.leaf.guid, "Bring it online again.")
    elif member.newcomer is not None and not member.dispensable:
        new = f"{member.newcomer.model}, serial {member.newcomer.serial or 'unknown'}"
        words = f"Another disk is in bay {member.bay} now ({new}): replace the missing one with it."
        yield from replacing(member, words)
        return
    else:
        where = f"bay {member.bay}" if member.bay else "its place"
        yield Remedy(
            words=f"Check {where}: press the disk in until it locks, and check its cable. "
            "When it is back, ZFS adds it again by itself and writes what it missed."
        )
    yield from replacing(member, "If it stays missing or fails again, replace it with another disk.")


def _disk_subject(member: Member) -> tuple[str, ...]:
    return (f"disk:{member.disk.id}",) if member.disk else ()
