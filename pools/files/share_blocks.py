"""dataset.share-blocks: files with the same content become clones of one of them."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.datasets.measuring import run_of
from host.commands.files import FilePath, ShareBlocks
from host.files.names import plain
from host.inventory import Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.wording import counted
from pools.files.reach import Text, dataset_fault

_FEATURE = "block_cloning"


class ShareBlocksOfFiles(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Let files of a dataset share the blocks of `kept`, a file with the same content, as clones do.

    Each is compared byte by byte first, while nobody can write to it. Owners, rights and times stay.
    """

    dataset: Text
    kept: FilePath
    paths: Annotated[tuple[FilePath, ...], Meta(min_length=1, max_length=100)]


def plan(request: ShareBlocksOfFiles, inventory: Inventory) -> Plan:
    """Raises `Refused` for what has no files to be written, and for pools that cannot clone."""
    findings = Findings()
    dataset = inventory.dataset(request.dataset)
    if dataset is None:
        findings.refuse("unknown-dataset", "dataset", f"There is no dataset {request.dataset}.")
    if shut := dataset_fault(dataset):
        findings.refuse(shut.code, "dataset", shut.message)
    if dataset.value("readonly") == "on":
        findings.error("read-only", "dataset", f"{dataset.name} is read-only.")
    pool = inventory.pool(dataset.pool)
    if pool is None or pool.features.get(_FEATURE, "disabled") == "disabled":
        message = (
            f"{dataset.pool} cannot clone blocks: its feature {_FEATURE} is off. Upgrade the pool first."
        )
        findings.error("no-cloning", "dataset", message)
    if not request.kept:
        findings.error("no-file", "kept", "Name the file whose blocks are kept.")
    for index, path in enumerate(request.paths):
        if path in {"", request.kept, *request.paths[:index]}:
            findings.error("same-file", f"paths[{index}]", "Name each file once.")
    findings.refuse_on_error()
    files = counted(len(request.paths), "file")
    share, keep = ("shares", "keeps") if len(request.paths) == 1 else ("share", "keep")
    command = ShareBlocks(
        key=run_of(dataset.name), dataset=dataset.name, kept=request.kept, paths=request.paths
    )
    title = f"Compare {files} with {plain(request.kept)}, and share its blocks"
    return Plan(
        operation="dataset.share-blocks",
        steps=(Step(title=title, commands=(command,)),),
        summary=sentences(
            f"{files} with the same content as {plain(request.kept)} {share} its blocks from then on, and "
            f"{keep} owners, rights and times.",
            "Each is compared byte by byte first; what differs or is open stays as it is.",
            "Space that snapshots hold is free once those are gone.",
        ),
        takes="as long as it takes to read the files",
        findings=findings.all(),
        claims=(f"clones:{dataset.name}",),
    )
