"""The record size that is recommended follows from what most of the bytes are."""

from __future__ import annotations

from typing import Any

import pytest

from host.scan.scanning import begun
from host.scan.sums import Sums
from host.scan.values import Scanned
from pools.scan.records import OFFERED, advise, choices

K, M, G = 1 << 10, 1 << 20, 1 << 30


def scanned(**sizes: int) -> Scanned:
    """Files called by their endings, of these sizes."""
    sums = Sums()
    for ending, size in sizes.items():
        sums.add((f"file.{ending}".encode(),), size, size)
    fields: dict[str, Any] = sums.fields()
    report = begun("2026-11-26T10:00:00+00:00", run="0" * 16, dataset="tank/a", snapshot="s")
    return Scanned(**{name: getattr(report, name) for name in report.__struct_fields__} | fields)


@pytest.mark.parametrize(
    ("found", "size", "words"),
    [
        (scanned(mkv=8 * G), M, "100% of the bytes are in files above 1 MiB"),
        (scanned(mkv=8 * G, sqlite=1 * G), M, "9\u00a0216 blocks instead of 73\u00a0728"),
        (scanned(mkv=8 * G, ibd=4 * G), 16 * K, "33% of the space is databases"),
        (scanned(qcow2=8 * G, txt=10), 64 * K, "100% of the space is disk images"),
        (scanned(txt=8 * K, jpg=300 * K), 128 * K, "the default suits them"),
        (scanned(bin=8 * G), 128 * K, "the default suits them"),
    ],
)
def test_one_is_recommended_with_its_reason(found: Scanned, size: int, words: str) -> None:
    advice = advise(found)
    assert advice is not None
    assert advice.record_bytes == size
    assert words in advice.reason


def test_without_files_there_is_none() -> None:
    assert advise(scanned()) is None
    assert choices(scanned()) == ()


def test_a_change_rewrites_a_record_or_the_largest_file() -> None:
    found = {one.record_bytes: one for one in choices(scanned(db=1 * M))}
    assert tuple(found) == OFFERED
    assert found[16 * K].rewrite_bytes == 16 * K
    assert found[16 * M].rewrite_bytes == 1 * M
    assert (found[16 * K].blocks, found[16 * K].pointer_bytes) == (64, 64 * 128)
