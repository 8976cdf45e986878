"""Events of pools, from the lines in which our zedlet counts them."""

from __future__ import annotations

from host.inventory import ZedEvent
from host.zed import CHANGES, COLUMNS, DEVICES, EMPTY, FAULTS


def parse_zed_events(text: str) -> tuple[ZedEvent, ...]:
    """Oldest first. A line that is not whole is left out."""
    found = []
    for line in text.splitlines():
        parts = line.split("\t")
        if len(parts) != len(COLUMNS):
            continue
        said = {name: part for name, part in zip(COLUMNS, parts, strict=True) if part != EMPTY}
        if said.get("event", "").startswith((FAULTS, DEVICES, CHANGES)):
            try:
                found.append(_event(said))
            except (KeyError, ValueError):
                continue
    return tuple(found)


def _event(said: dict[str, str]) -> ZedEvent:
    """Raises KeyError and ValueError."""
    return ZedEvent(
        boot=said.get("boot", ""), eid=int(said["eid"]), at_ns=int(said["at_ns"]),
        last_at_ns=int(said["last_at_ns"]), up_s=int(said["up_ms"]) / 1000,
        last_up_s=int(said["last_up_ms"]) / 1000, count=int(said["count"]), moments=int(said["moments"]),
        event=said["event"], pool=said.get("pool"), pool_guid=said.get("pool_guid"),
        vdev_guid=said.get("vdev_guid"), state=said.get("state"), before=said.get("before"),
        path=said.get("path"), error=int(said["error"]) if "error" in said else None,
        longest_s=int(said["longest_ms"]) / 1000 if "longest_ms" in said else None,
    )  # fmt: skip
