"""Channels that cannot send any more: their secrets were sealed for another machine."""

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
