"""How a disk is, in a word and with reasons. All thresholds are here, each with where it comes from.

- The disk's own overall verdict (SMART status; for NVMe its critical warning) counts before everything.
- Backblaze (“What SMART stats tell us about hard drives”, 2016) found that of five attributes, among them
  reallocated (5), pending (197) and uncorrectable (198) sectors, one or more was above zero on 77 % of the
  disks that failed later, and on 4 % of those that did not. So any count above zero is a warning, and one
  that grows is the beginning of the end.
- CRC errors (199) happen between disk and controller. They never go down again, so only growth tells
  anything: a cable that was changed stops warning by itself.
- Rated endurance and spare blocks: NVMe base specification, “Percentage Used” and “Available Spare”;
  10 % of spare is the threshold that makers set most; where a disk has a higher one, that counts.
- Temperature: the limit for operation that the disk itself reports.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

from host.inventory import BurnIn, SmartReading
from jobs.wording import counted

Level = Literal["good", "warning", "failing", "unknown"]
WORN_PERCENT = 90  # a year or so before the end, at the pace that led there
SPARE_LOW_PERCENT = 10
_SEVERITY: dict[Level, int] = {"unknown": 0, "good": 0, "warning": 1, "failing": 2}


class Reason(msgspec.Struct, frozen=True, kw_only=True):
    """Why a disk is not simply good, and what to do about it."""

    code: str  # for scripts: kebab-case, stable
    words: str
    advice: str
    level: Literal["warning", "failing"] = "warning"


class DiskVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """The worst of the reasons; `good` without any, `unknown` where the disk tells nothing."""

    level: Level
    reasons: tuple[Reason, ...] = ()


_COUNTS = (
    ("reallocated_sectors", "reallocated", "reallocated sector"),
    ("pending_sectors", "pending", "pending sector"),
    ("uncorrectable_sectors", "uncorrectable", "uncorrectable sector"),
)
_OF_THE_CABLE = "crc-growing"
_REPLACE = "Replace the disk, and until then make sure that its data exists elsewhere."
_PLAN = "Plan to replace the disk, and watch whether the number rises."


def verdict(reading: SmartReading, earlier: SmartReading | None) -> DiskVerdict:
    """What `reading` says, compared with one that is up to some days older."""
    reasons = [
        *_own_verdict(reading),
        *(reason for count in _COUNTS for reason in _bad_sectors(*count, reading, earlier)),
        *_crc(reading, earlier),
        *_self_test(reading),
        *_endurance(reading),
    ]
    if not reasons:
        return DiskVerdict(level="good" if _has_values(reading) else "unknown")
    reasons.sort(key=lambda reason: -_SEVERITY[reason.level])
    return DiskVerdict(level=reasons[0].level, reasons=tuple(reasons))


def unwell(
    reading: SmartReading | None, earlier: SmartReading | None, burn_in: BurnIn | None
) -> tuple[str, ...]:
    """What speaks against new data on the disk, in words: of what `verdict` says all but what a cable does,
    and that its last burn-in failed."""
    reasons = () if reading is None else verdict(reading, earlier).reasons
    found = [reason.words for reason in reasons if reason.code != _OF_THE_CABLE]
    if burn_in is not None and burn_in.verdict == "failed":
        found.append(f"The burn-in failed: {burn_in.words}" if burn_in.words else "The burn-in failed")
    return tuple(found)


def heat(reading: SmartReading) -> tuple[Reason, ...]:
    """Whether the disk is warmer than it may be. That is no part of its verdict: it is no worse for it,
    and temperatures go up and down all day."""
    now, most = reading.temperature_celsius, reading.hottest_celsius
    if now is None or most is None or now <= most:
        return ()
    words = f"{now} °C, warmer than the {most} °C that its maker allows"
    advice = "Check fans, filters and the room; a disk that stays too warm fails earlier."
    return (Reason(code="too-warm", words=words, advice=advice),)


def _has_values(reading: SmartReading) -> bool:
    report = (reading.passed, reading.reallocated_sectors, reading.pending_sectors, reading.wear_percent)
    return any(value is not None for value in report)


def _own_verdict(reading: SmartReading) -> list[Reason]:
    if reading.passed is not False:
        return []
    words = "The disk reports that it is failing"
    return [Reason(code="failing-by-itself", words=words, advice=_REPLACE, level="failing")]


def _bad_sectors(
    field: str, code: str, noun: str, reading: SmartReading, earlier: SmartReading | None
) -> list[Reason]:
    now: int | None = getattr(reading, field)
    if not now:
        return []
    before: int | None = getattr(earlier, field) if earlier else None
    if before is not None and now > before and earlier is not None:
        words = f"{counted(now, noun)}, {now - before} more than on {_day(earlier)}"
        return [Reason(code=f"{code}-growing", words=words, advice=_REPLACE, level="failing")]
    advice = _REPLACE if field == "pending_sectors" else _PLAN
    return [Reason(code=code, words=counted(now, noun), advice=advice)]


def _crc(reading: SmartReading, earlier: SmartReading | None) -> list[Reason]:
    if earlier is None or earlier.crc_errors is None or reading.crc_errors is None:
        return []
    grown = reading.crc_errors - earlier.crc_errors
    if grown <= 0:
        return []
    words = f"{counted(grown, 'CRC error')} since {_day(earlier)}, {reading.crc_errors} in all"
    advice = "Check the cable and the backplane; the disk itself is not the cause."
    return [Reason(code=_OF_THE_CABLE, words=words, advice=advice)]


def _self_test(reading: SmartReading) -> list[Reason]:
    """The last one failed, or the last long one did: a short one that passes later read only a sample."""
    ended = [test for test in reading.tests if test.result in {"passed", "failed"}]
    long = [test for test in ended if test.kind == "long"]
    failed = next((tests[0] for tests in (ended, long) if tests and tests[0].result == "failed"), None)
    if failed is None:
        return []
    name = "The last self-test" if failed is ended[0] else "The last long self-test"
    words = f"{name} failed: {failed.words}"
    if failed.first_error_lba is not None:
        words += f"; first error at sector {failed.first_error_lba}"
    return [Reason(code="self-test-failed", words=words, advice=_REPLACE, level="failing")]


def _endurance(reading: SmartReading) -> list[Reason]:
    reasons = []
    if reading.wear_percent is not None and reading.wear_percent >= WORN_PERCENT:
        words = f"{reading.wear_percent} % of the rated endurance is used"
        reasons.append(Reason(code="worn", words=words, advice="Plan to replace the disk."))
    least = max(reading.spare_least_percent or 0, SPARE_LOW_PERCENT)
    if reading.spare_percent is not None and reading.spare_percent <= least:
        words = f"{reading.spare_percent} % of the spare blocks are left; {least} % is the least for safe use"
        reasons.append(Reason(code="spare-low", words=words, advice=_REPLACE))
    return reasons


def _day(reading: SmartReading) -> str:
    return datetime.fromisoformat(reading.at).date().isoformat()
