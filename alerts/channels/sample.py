"""A message about an alert that there is not, to show what a template makes of one. Pure."""

from __future__ import annotations

from datetime import datetime, timedelta

from alerts.channels.words import Item, Message, Sender, Template, message
from alerts.evidence import KnownDisk
from alerts.incidents.cause import Cause, Spot
from alerts.remedy import Remedy

_DISK = KnownDisk(id="sample", serial="WD-SAMPLE0003", model="WDC WD40EFRX", bay="A3")
_CAUSE = Cause(
    key="sample", kind="disk-gone", severity="critical", title="Bay A3: a disk of tank is gone",
    details=("The disk left tank, which is degraded: it survives the failure of one more disk.",),
    steps=(
        Remedy(words="Check its cables and power, and put it back in."),
        Remedy(words="If it does not come back, replace it.", page="/pools/tank/"),
    ),
    subjects=("sample",), spots=(Spot(id=_DISK.id, bay="A3", here=False),), pool="tank",
)  # fmt: skip


def sample_message(template: Template, sender: Sender, now: datetime) -> Message:
    """A missing disk, in the template's words."""
    item = Item(act="opened", cause=_CAUSE, opened_at=now - timedelta(minutes=3))
    return message((item,), sender, {_DISK.id: _DISK}, template)
