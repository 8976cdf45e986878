"""The scan of a dataset's files, as the API answers it and the page shows it."""

from __future__ import annotations

import msgspec

from host.inventory import Dataset, Inventory
from host.scan.requests import RequestSize
from host.scan.values import Scanned
from pools.scan.records import RecordAdvice, RecordChoice, advise, choices
from pools.scan.see import FilesFound

EXISTING = (
    "A change is for files that are written from then on: a file keeps the record size that it was written "
    "with, and “zfs rewrite” does not change it. Copied within the dataset, or replicated to a new one, "
    "files get the new size; snapshots keep the old blocks until they are gone."
)


class ScanAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """`run` is the last scan or the one that goes on: its `verdict` is null until it ends. Null where there
    was none. `requests` to the disks are those of the whole pool since it was imported.
    """

    dataset: str
    record_bytes: int | None  # the record size of the dataset
    run: Scanned | None
    records: tuple[RecordChoice, ...]
    recommended: RecordAdvice | None
    existing_files: str
    requests: tuple[RequestSize, ...]
    as_of: str


def scan_answer(dataset: Dataset, inventory: Inventory, found: FilesFound) -> ScanAnswer:
    """The answer for a dataset."""
    scanned = found.scanned
    settled = scanned is not None and scanned.verdict in {"done", "stopped"}
    return ScanAnswer(
        dataset=dataset.name, record_bytes=dataset.number("recordsize") or None, run=scanned,
        records=choices(scanned) if scanned is not None else (),
        recommended=advise(scanned) if scanned is not None and settled else None,
        existing_files=EXISTING, requests=found.requests, as_of=inventory.as_of,
    )  # fmt: skip
