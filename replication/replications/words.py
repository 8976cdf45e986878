"""What became of a run and of each dataset, in sentences that say what to do."""

from __future__ import annotations

from datetime import datetime

from host.replication.proof import Proof
from host.replication.values import Replica, Replicated
from jobs.wording import counted, listed

_SKEW_S = 300
_GOES_ON = "What has arrived stays, and the next run goes on from there."
_RUNS = {
    "source-missing": "The source was not there. Import its pool, or unlock and rename it back.",
    "root-missing": "The place of its replicas was not there. Import that pool, or create it again.",
    "connection": f"The connection failed or was lost. {_GOES_ON}",
    "interrupted": f"The run was cut off. {_GOES_ON}",
}
_FULL = ("out of space", "space quota exceeded")  # what zfs receive says of pools and quotas
_CONFLICTS = {
    "nothing-to-send": (
        "There is no snapshot of {source} yet. Take one, or let the replication take its own."
    ),
    "no-common-snapshot": (
        "{target} has no snapshot in common with {source}, so changes cannot follow. Replicate to another "
        "dataset, or rename {target} and let it be copied anew."
    ),
    "target-ahead": (
        "{target} has snapshots that {source} does not have: {extra}. To go on, roll {target} back to its "
        "snapshot {common}, which deletes them."
    ),
    "target-written": (
        "{target} was written to after its newest snapshot. To go on, roll it back to its snapshot "
        "{common}, which discards that; clone it before if you need that."
    ),
    "encryption-differs": (
        "{target} is encrypted otherwise than what is sent, and cannot go on so. Replicate to another "
        "dataset."
    ),
    "key-missing": "{source} is locked, and is not sent as it lies on its disks. Unlock it.",
    "other-kind": "One of {source} and {target} is a volume, the other one a file system.",
    "stale-token": (
        "What had arrived of a snapshot at {target} cannot be completed: that snapshot is gone at the "
        "source. Drop it, and the next run begins anew; finished snapshots at {target} stay."
    ),
}


def replica_words(one: Replica) -> str:
    """Why a dataset is not current; empty where it is, or waits."""
    if one.state == "conflict":
        text = _CONFLICTS.get(one.code, "It cannot go on.")
        extra = listed(one.extra, 3) if one.extra else ""
        common = one.common or "a snapshot"
        return text.format(source=one.source, target=one.target, extra=extra, common=common)
    if one.state == "failed":
        return _failed_words(one)
    return ""


def _failed_words(one: Replica) -> str:
    """By what zfs said, where that is known to have a way out."""
    if any(words in one.said for words in _FULL):
        return f"There is no room left for {one.target}. Make room there. {_GOES_ON}"
    return f"{one.source} could not be sent: {one.said}" if one.said else f"{one.source} could not be sent."


def proof_words(proof: Proof) -> str:
    """What a proof found, in one or two sentences. It names no file."""
    files = sum(one.files for one in proof.datasets)
    different = [one.target for one in proof.datasets if one.result == "different"]
    unread = [one.target for one in proof.datasets if one.result in {"locked", "unreachable"}]
    match proof.verdict:
        case None:
            return "Files are being compared."
        case "different":
            return (
                f"Files of {listed(different, 3)} differ from the source, or cannot be read. Replicate anew."
            )
        case "same":
            return f"{counted(files, 'file')} compared by hash: all the same."
        case "partly":
            locked = (
                "locked" if all(one.result != "unreachable" for one in proof.datasets) else "not readable"
            )
            return f"{counted(files, 'file')} compared by hash: all the same. {listed(unread, 3)}: {locked}."
        case "nothing":
            return (
                f"No file could be compared: {listed(unread, 3)} locked."
                if unread
                else "There is no file to compare yet."
            )
        case "stopped":
            return "It was stopped."
        case _:
            return proof.words or "It failed."


def run_words(report: Replicated) -> str:
    """What became of a run, in one to three sentences."""
    return " ".join(filter(None, (_outcome(report), _skew(report))))


def _skew(report: Replicated) -> str:
    """Of a snapshot that is dated later than the run: the clock of one of the machines is wrong."""
    if report.finished_at is None:
        return ""
    ended = datetime.fromisoformat(report.finished_at).timestamp()
    ahead = [one for one in report.datasets if one.newest_at is not None and one.newest_at - ended > _SKEW_S]
    if not ahead:
        return ""
    minutes = round(max(one.newest_at - ended for one in ahead if one.newest_at is not None) / 60)
    return (
        f"The newest snapshot of {ahead[0].source} is dated {counted(minutes, 'minute')} later than this "
        "run: set the clocks of both machines by NTP, or ages and retention are wrong."
    )


def _outcome(report: Replicated) -> str:
    behind = [one for one in report.datasets if one.state in {"conflict", "failed"}]
    match report.verdict:
        case None:
            return "It is under way."
        case "done":
            return f"{counted(len(report.datasets), 'dataset')} up to date."
        case "stopped":
            return f"It was stopped. {_GOES_ON}"
        case _:
            if report.code in _RUNS:
                said = f" ({report.words})" if report.words and report.code != "interrupted" else ""
                return f"{_RUNS[report.code]}{said}"
            if behind:
                first = replica_words(behind[0])
                if len(behind) == 1:
                    return first
                return f"{first} {counted(len(behind) - 1, 'more dataset is', 'more datasets are')} behind."
            return report.words or "It failed."


def aim_words(hours: int) -> str:
    """`26` → `26 hours`, `168` → `7 days`."""
    return counted(hours // 24, "day") if hours % 24 == 0 and hours >= 48 else counted(hours, "hour")
