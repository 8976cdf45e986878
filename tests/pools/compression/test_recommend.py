"""What is recommended for which figures, and what a plan to measure refuses."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from host.commands.datasets.measuring import MeasureCompression, run_of
from host.compression.values import CompressionFigures, Measured
from host.inventory import Inventory
from host.inventory.progress import Scan
from jobs.plan import Refused
from pools.compression import existing, measure
from pools.compression.answers import usable
from pools.compression.measure import MeasureDataset
from pools.compression.recommend import Recommendation, options, recommend
from pools.compression.see import QUESTION, CompressionFound
from tests import made

MB = 1_000_000
_FACTS: dict[str, Any] = {
    "run": "",
    "dataset": "tank/a",
    "snapshot": "s",
    "record_bytes": 131072,
    "ashift": 12,
}


def _measured(**mb: tuple[float, float]) -> Measured:
    """Of 100 MB on 4 cores: by name (- for _) the megabytes stored and the seconds of one core."""
    choices = [CompressionFigures(name="off", stored_bytes=100 * MB, raw_blocks=10, in_s=0.0, out_s=0.0)]
    choices += [
        CompressionFigures(
            name=name.replace("_", "-"), stored_bytes=int(size * MB), in_s=took, out_s=took / 4
        )
        for name, (size, took) in mb.items()
    ]
    return Measured(
        **_FACTS, started_at="", updated_at="", verdict="done", logical_bytes=100 * MB, measured_blocks=10,
        cores=4, choices=tuple(choices),
    )  # fmt: skip


def _recommended(disks_mb: float | None = None, **mb: tuple[float, float]) -> Recommendation:
    found = recommend(options(_measured(**mb)), disks_bytes_per_s=None if disks_mb is None else disks_mb * MB)
    assert found is not None
    return found


def test_nothing_is_said_of_a_speed_where_there_were_only_zeros() -> None:
    found = _recommended(lz4=(0, 0.0), zstd_3=(0, 0.0))
    assert found.compression == "lz4"
    assert found.reason == "It saves 100 % of the space. Nothing else saves noticeably more."


def test_what_cannot_be_compressed_stays_with_lz4() -> None:
    found = _recommended(lz4=(100, 0.1), zstd_3=(99.5, 0.4))
    assert found.compression == "lz4"
    assert found.reason.startswith(
        "These files can hardly be compressed: the best that keeps up saves 0.5 %."
    )


def test_the_fastest_of_those_that_save_nearly_the_most_and_keep_up() -> None:
    found = _recommended(lz4=(70, 0.2), zstd_3=(50, 0.8), zstd_9=(49.5, 2.0), zstd_19=(45, 30.0))
    assert found == Recommendation(
        compression="zstd-3",
        reason="It saves 50 % of the space, lz4 30 %, and compresses 375 MB/s, which is more than a gigabit "
        "network brings (125 MB/s).",
    )


def test_faster_disks_ask_for_faster_compression() -> None:
    figures: dict[str, Any] = {"lz4": (70, 0.2), "zstd_3": (50, 0.8)}
    assert _recommended(**figures).compression == "zstd-3"
    found = _recommended(disks_mb=900, **figures)
    assert found.compression == "lz4"
    assert "such as zstd-3, is slower than the disks write (900 MB/s)" in found.reason


def test_where_nothing_saves_more_lz4_is_said_to_be_enough() -> None:
    found = _recommended(lz4=(50, 0.2), zstd_19=(49.5, 30))
    assert found == Recommendation(
        compression="lz4",
        reason="It saves 50 % of the space at 1\u00a0500 MB/s. Nothing else saves noticeably more.",
    )


@pytest.mark.parametrize(("feature", "chosen"), [("disabled", "lz4"), ("enabled", "zstd-3")])
def test_nothing_is_recommended_that_the_pool_refuses(feature: str, chosen: str) -> None:
    found = options(_measured(lz4=(70, 0.2), zstd_3=(50, 0.8)))
    pool = made.pool(properties={"feature@zstd_compress": feature})
    recommended = recommend(usable(found, pool))
    assert recommended is not None and recommended.compression == chosen


def test_none_of_the_others_is_both_faster_and_smaller_than_those_on_the_front() -> None:
    found = options(_measured(lz4=(70, 0.2), gzip_9=(52, 9.0), zstd_3=(50, 0.8), zstd_19=(45, 30.0)))
    assert [one.name for one in found if one.on_front] == ["lz4", "zstd-3", "zstd-19"]
    off, lz4 = found[0], found[1]
    assert (off.ratio, off.saved_percent, off.in_bytes_per_s) == (1.0, 0.0, None)
    assert (lz4.ratio, lz4.in_bytes_per_s, lz4.saved_bytes_per_cpu_s) == (100 / 70, 1500e6, 150e6)


def test_nothing_is_recommended_before_anything_was_measured() -> None:
    empty = msgspec.structs.replace(_measured(), logical_bytes=0, measured_blocks=0, choices=())
    assert recommend(options(empty)) is None


@pytest.mark.parametrize(
    ("version", "can"),
    [
        ("zfs-2.3.4-1", True),
        ("2.4.0", True),
        ("2.3.3-1", False),
        ("2.2.9", False),
        (None, False),
        ("x", False),
    ],
)
def test_rewriting_in_place_is_offered_where_openzfs_can(version: str | None, *, can: bool) -> None:
    assert existing.can_rewrite(version) is can
    said = existing.words(made.dataset("tank/a"), version)
    assert ("zfs rewrite -r /mnt/tank/a" in said) is can
    unmounted = existing.words(made.dataset("tank/a", mountpoint="legacy"), version)
    assert ("zfs rewrite -r its folder" in unmounted) is can


def _machine(run: Measured | None = None, **properties: Any) -> Inventory:
    kind = properties.pop("kind", "filesystem")
    scan = properties.pop("scan", None)
    dataset = made.dataset(
        "tank/a", kind=kind, **({"recordsize": "1048576", "encryption": "off"} | properties)
    )
    return msgspec.structs.replace(
        made.inventory(pools=(made.pool("tank", ashift=12, scan=scan),), datasets=(dataset,)),
        snapshots={
            "tank/a": (made.snapshot("tank/a@old", createtxg=4), made.snapshot("tank/a@new", createtxg=9))
        },
        answers={QUESTION: CompressionFound(measured=run)},
    )


def _refusal(inventory: Inventory, name: str = "tank/a") -> str:
    with pytest.raises(Refused) as refused:
        measure.plan(MeasureDataset(name=name), inventory)
    (finding,) = refused.value.findings
    assert finding.field == "name"
    return finding.code


def test_the_newest_snapshot_is_measured_at_the_dataset_s_record_size() -> None:
    (step,) = measure.plan(MeasureDataset(name="tank/a"), _machine()).steps
    assert step.commands == (
        MeasureCompression(
            run=run_of("tank/a"), dataset="tank/a", tag="new", record_bytes=1048576, ashift=12, embeds=True
        ),
    )


def test_of_an_encrypted_dataset_no_block_is_kept_in_its_pointer() -> None:
    (step,) = measure.plan(MeasureDataset(name="tank/a"), _machine(encryption="aes-256-gcm")).steps
    (command,) = step.commands
    assert isinstance(command, MeasureCompression)
    assert command.embeds is False


def test_what_cannot_be_measured_is_refused_with_the_reason() -> None:
    assert _refusal(_machine(), "tank/none") == "unknown-dataset"
    assert _refusal(_machine(kind="volume")) == "no-files"
    assert _refusal(_machine(keystatus="unavailable")) == "locked"
    assert _refusal(msgspec.structs.replace(_machine(), snapshots={})) == "no-snapshot"
    assert _refusal(_machine(scan=Scan(function="RESILVER", state="SCANNING"))) == "resilvering"
    assert _refusal(_machine(msgspec.structs.replace(_measured(), verdict=None))) == "already-measuring"
