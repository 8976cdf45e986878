"""What keeps alerts from coming: channels whose secrets were sealed for another machine, and a machine that
cannot be probed."""

from __future__ import annotations

from collections.abc import Iterator

from alerts.evidence import Evidence
from alerts.incidents.cause import Cause
from alerts.remedy import Remedy


def causes(memory: Evidence) -> Iterator[Cause]:
    """One for each channel. The other channels report it."""
    for one in memory.locked:
        what = " and ".join(one.titles) or "What is secret"
        yield Cause(
            key=f"channel:{one.id}", kind="channel-locked", severity="warning",
            title=f"No notifications can be sent by “{one.name}”",
            details=(
                f"{what} was encrypted for another machine, as after a restore on new drives.",
                "It cannot be read here.",
                "Until it is entered again, this channel sends no messages.",
            ),
            steps=(
                Remedy(words=f"Enter it again: {what}. Then send a test.",
                       page=f"/settings/notifications/{one.id}/", label="The channel"),
            ),
            subjects=(f"channel:{one.id}",),
        )  # fmt: skip


def unprobed(probed_at: str) -> Cause:
    """The machine was not probed for minutes. `probed_at`: ISO 8601, UTC; empty where it never was."""
    since = f"since {probed_at[:16].replace('T', ' ')} UTC" if probed_at else "since it was started"
    return Cause(
        key="machine:unprobed", kind="machine-unprobed", severity="critical",
        title="This machine cannot be probed",
        details=(
            f"The worker has not been able to ask it for the state of its disks and pools {since}.",
            "Until it can, no failed disk, pool or schedule is noticed, and the console shows an old state.",
        ),
        steps=(
            Remedy(words="See why, in a terminal: “journalctl -u nasweb-worker -n 50”. A disk that no longer "
                         "answers may block zpool or lsblk."),
            Remedy(words="If nothing else is wrong: “systemctl restart nasweb-helper nasweb-worker”."),
        ),
        subjects=("machine:unprobed",), since=probed_at or None,
    )  # fmt: skip
