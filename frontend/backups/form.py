"""The form of a backup: what is typed, and the request that it makes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from backups.create_backup import NIGHTLY, USUAL
from frontend.typed_size import whole_typed
from host.inventory import Backup, Dataset, Inventory
from jobs.schedules import sentence as picker

FIELDS = {
    "name": "name", "repository": "repository", "datasets": "datasets", "exclusions": "exclusions",
    "retention": "retention", "aim_hours": "aim_hours", "cron": "every", "time_zone": "every",
}  # fmt: skip
PERIODS = {
    "last": "Last ones", "daily": "Days", "weekly": "Weeks", "monthly": "Months", "yearly": "Years",
}  # fmt: skip


class BackupForm(msgspec.Struct, frozen=True, kw_only=True):
    """As it was typed."""

    name: str = ""
    repository: str = ""
    datasets: tuple[str, ...] = ()
    exclusions: str = ""
    aim_hours: str = "36"
    kept: dict[str, str] = {}
    picked: picker.Picked = picker.picked(NIGHTLY)

    @property
    def periods(self) -> list[tuple[str, str, str]]:
        """The name, the title and the number of each."""
        return [(name, title, self.kept.get(name, "0")) for name, title in PERIODS.items()]


def first(sent: Mapping[str, str]) -> BackupForm:
    """The empty form, with what the address chooses."""
    usual = {name: str(number) for name, number in msgspec.structs.asdict(USUAL).items()}
    chosen = (sent["dataset"][:1024],) if sent.get("dataset") else ()
    return BackupForm(repository=sent.get("repository", "")[:64], datasets=chosen, kept=usual)


def of_post(sent: Any) -> BackupForm:
    """What was sent."""
    return BackupForm(
        name=sent.get("name", "").strip(), repository=sent.get("repository", ""),
        datasets=tuple(sent.getlist("datasets")[:500]), exclusions=sent.get("exclusions", ""),
        aim_hours=sent.get("aim_hours", "").strip(),
        kept={name: sent.get(f"keep_{name}", "").strip() for name in PERIODS},
        picked=picker.typed(sent.dict()),
    )  # fmt: skip


def of_backup(found: Backup, line: str) -> BackupForm:
    """One that is there."""
    return BackupForm(
        name=found.name, repository=found.repository, datasets=tuple(one.name for one in found.datasets),
        exclusions="\n".join(found.exclusions), aim_hours=str(found.aim_hours),
        kept={name: str(found.retention.get(name, 0)) for name in PERIODS}, picked=picker.picked(line),
    )  # fmt: skip


def content(form: BackupForm) -> dict[str, Any]:
    """The fields of a request but the name, the repository and the times."""
    lines = (line.strip() for line in form.exclusions.splitlines())
    return {
        "datasets": list(form.datasets), "exclusions": [line for line in lines if line],
        "aim_hours": whole_typed(form.aim_hours),
        "retention": {name: whole_typed(form.kept.get(name) or "0") for name in PERIODS},
    }  # fmt: skip


def choices(inventory: Inventory | None) -> tuple[Dataset, ...]:
    """The datasets whose files can be stored."""
    return tuple(one for one in inventory.datasets if one.kind == "filesystem") if inventory else ()
