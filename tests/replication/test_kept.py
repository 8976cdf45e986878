"""What of a source is kept for the day that it comes back."""

from __future__ import annotations

from typing import Literal

from host.inventory import Dataset, Property
from host.replication.values import Replication
from replication.replications.kept import kept_of, renamed
from tests import made


def dataset(name: str, kind: Literal["filesystem", "volume"] = "filesystem", **local: str) -> Dataset:
    properties = {key: Property(value=value, source="local") for key, value in local.items()}
    inherited = Property(value="on", source="inherited", inherited_from="tank")
    return Dataset(name=name, kind=kind, guid=name, properties=properties | {"readonly": inherited})


def test_limits_and_places_are_kept_and_nothing_that_gives_rights() -> None:
    task = Replication(
        id=1, key="0" * 16, name="a", source="tank/a", target_id=1, target="vault/a", excluded=("tank/a/x",)
    )
    machine = made.inventory(
        datasets=(
            dataset("tank/a", quota="5", mountpoint="/mnt/a", setuid="on", compression="lz4"),
            dataset("tank/a/b", mountpoint="/etc"),
            dataset("tank/a/v", "volume", refreservation="33562624"),
            dataset("tank/a/w", "volume", refreservation="0"),
            dataset("tank/a/x", quota="5"),
        )
    )
    kept = kept_of(task, machine)
    assert kept == {
        "tank/a": {"quota": "5", "mountpoint": "/mnt/a"},
        "tank/a/v": {"refreservation": "auto"},
        "tank/a/w": {"refreservation": "0"},
    }
    assert list(renamed(kept, "tank/a", "new/b")) == ["new/b", "new/b/v", "new/b/w"]
