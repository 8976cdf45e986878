"""What md arrays report: members that failed, slots that are empty, copies that differ.

- On RAID 1 and RAID 10 a few sectors that differ need not be a fault: memory that changes while it is
  written, as swap and files mapped into memory do, reaches the members in two states (md(4), "Scrubbing
  and mismatches"). On RAID 5 and 6 the same page calls any number a sign of trouble with hardware.
- Debian checks all arrays on the first Sunday of a month (mdcheck_start.timer of mdadm). The kernel keeps
  just the number that the last check found; when that was is remembered (`alerts.arrays_checked`).
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

from alerts.doctor.finding import Check, DoctorFinding, Patient, Subject, figure
from alerts.remedy import Remedy, as_root
from host.inventory import ArrayMember, Inventory, MdArray
from jobs.wording import counted, listed

_HARMLESS = 1024  # sectors on a mirror: half a MiB of pages that were written while they changed
_MIRRORS = {"raid1", "raid10"}


def _degraded(patient: Patient) -> Iterator[DoctorFinding]:
    for array in patient.inventory.arrays:
        rebuilding = array.work is not None and array.work.kind == "recovery"
        if array.state == "inactive" or not array.degraded or rebuilding:
            continue
        yield DoctorFinding(
            code="array-degraded", severity="critical", subject=of_array(array),
            title=f"Array {array.name} is missing {array.wanted - array.in_sync} of {array.wanted} members",
            why="It works, but with less redundancy than intended: the next disk that fails may take the "
            "data with it.",
            evidence=(
                figure("Hold all data", f"{array.in_sync} of {array.wanted}"),
                figure("Members", listed([_said(one, patient.inventory) for one in array.members])),
            ),
            fix=(_page(array, "Add the missing disk again, or replace it with another."),),
        )  # fmt: skip


def _faulty(patient: Patient) -> Iterator[DoctorFinding]:
    for array in patient.inventory.arrays:
        faulty = [one for one in array.members if one.state == "faulty"]
        if faulty:
            yield DoctorFinding(
                code="array-member-faulty", severity="warning", subject=of_array(array),
                title=f"Array {array.name} has {counted(len(faulty), 'faulty disk')}",
                why="The kernel no longer uses them, because a write or a read failed, or because they "
                "were replaced. They stay listed until they are removed.",
                evidence=(figure("Faulty", listed([_said(one, patient.inventory) for one in faulty])),),
                fix=(_page(array, "Remove them, and replace them if that has not been done yet."),),
            )  # fmt: skip


def _stopped(patient: Patient) -> Iterator[DoctorFinding]:
    for array in patient.inventory.arrays:
        if array.state == "inactive":
            yield DoctorFinding(
                code="array-stopped", severity="critical", subject=of_array(array),
                title=f"Array {array.name} is not running",
                why="The kernel is waiting for missing members. What is on the array cannot be reached.",
                evidence=(
                    figure("Here", listed([_said(one, patient.inventory) for one in array.members])),
                ),
                fix=(_page(array, "Insert the missing disks, or start it with those that are present."),),
            )  # fmt: skip


def _mismatches(patient: Patient) -> Iterator[DoctorFinding]:
    for array in patient.inventory.arrays:
        count = array.mismatches or 0
        mirror = array.level in _MIRRORS
        # While a check runs the number grows from 0, and while copies are made it counts something else.
        if array.work is not None or count <= (_HARMLESS if mirror else 0):
            continue
        yield DoctorFinding(
            code="array-mismatches", severity="advice" if mirror else "warning", subject=of_array(array),
            title=f"In array {array.name} {count} sectors differ between the disks",
            why="A small number on a mirror comes from memory that changed while it was written; this is "
            "more than that explains. md cannot tell which copy is right."
            if mirror
            else "Data and parity do not agree: a disk, its cable or the memory corrupted it. md cannot "
            "tell which is right.",
            evidence=(figure("Sectors that differ", count), figure("Level", array.level)),
            fix=(
                _page(array, "Test disks and memory, then check again: the number must not rise."),
            ),
        )  # fmt: skip


def _unchecked(patient: Patient) -> Iterator[DoctorFinding]:
    for array in patient.inventory.arrays:
        check = patient.memory.checks.get(array.uuid)
        if check is None or not check.overdue or array.state == "inactive" or _being_checked(array):
            continue
        days = int(check.age_s // 86400)
        last = f"{days} days ago" if check.checked_at else "never, as far as is known"
        yield DoctorFinding(
            code="array-unchecked", severity="advice", subject=of_array(array),
            title=f"Array {array.name} has not been checked for {days} days",
            why="A sector that can no longer be read is found by reading it. Found late, it is missing when "
            "a disk has to be rebuilt from the others. Debian checks every array on the first Sunday of a "
            "month, unless that timer is off.",
            evidence=(figure("Last checked", last),),
            fix=(
                _page(array, "Check it now; it stays usable."),
                Remedy(
                    words="See whether the monthly check is enabled, and enable it.",
                    commands=("systemctl list-timers mdcheck_start.timer",
                              "sudo systemctl enable --now mdcheck_start.timer"),
                ),
            ),
        )  # fmt: skip


def _being_checked(array: MdArray) -> bool:
    return array.work is not None and array.work.kind in {"check", "repair"}


def _no_bitmap(patient: Patient) -> Iterator[DoctorFinding]:
    for array in patient.inventory.arrays:
        if array.mismatches is not None and array.state != "inactive" and not array.bitmap:
            yield DoctorFinding(
                code="array-without-bitmap", severity="advice", subject=of_array(array),
                title=f"Array {array.name} has no write-intent bitmap",
                why="After a power cut, or when a disk was missing for a moment, everything is copied "
                "again instead of only what changed.",
                fix=(
                    Remedy(
                        words="Add one; it can be removed again.",
                        commands=(as_root("mdadm", "--grow", "--bitmap=internal", array.node),),
                    ),
                ),
            )  # fmt: skip


def of_array(array: MdArray) -> Subject:
    """An array as a subject: by its UUID."""
    return Subject(kind="machine", id=f"array:{array.uuid}", name=array.name)


def _said(one: ArrayMember, inventory: Inventory) -> str:
    disk = inventory.disk(one.disk) if one.disk else None
    place = f"bay {disk.bay}" if disk and disk.bay else one.path
    return f"{place} ({disk.serial if disk else 'unknown'}): {one.state}"


def _page(array: MdArray, words: str) -> Remedy:
    if array.carries_system:
        return Remedy(words=words, page="/boot/", label="The boot pair")
    return Remedy(words=words, page=f"/arrays/{quote(array.name, safe='')}/", label="The array")


CHECKS = (
    Check(code="array-degraded", passed="No array is missing a member", examine=_degraded),
    Check(code="array-member-faulty", passed="No array has a faulty disk", examine=_faulty),
    Check(code="array-stopped", passed="Every array runs", examine=_stopped),
    Check(code="array-mismatches", passed="The disks of each array agree", examine=_mismatches),
    Check(code="array-unchecked", passed="Each array was checked recently", examine=_unchecked),
    Check(code="array-without-bitmap", passed="Arrays have write-intent bitmaps", examine=_no_bitmap),
)
