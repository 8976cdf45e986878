"""Errors of memory modules that ECC corrected or detected, as EDAC counts them."""

from __future__ import annotations

from typing import NamedTuple

from host.kernel.files import KernelFiles

_CONTROLLERS = "/sys/devices/system/edac/mc"


class MemoryErrors(NamedTuple):
    """Since the driver was loaded."""

    corrected: int
    uncorrected: int


def read_memory_errors(files: KernelFiles) -> dict[str, MemoryErrors]:
    """By the label of the slot (`mc0/dimm0` where the driver knows none); see
    Documentation/admin-guide/RAS. Empty without ECC or its driver."""
    found: dict[str, MemoryErrors] = {}
    for controller in files.names(_CONTROLLERS):
        for module in files.names(f"{_CONTROLLERS}/{controller}"):
            if not module.startswith(("dimm", "rank")):
                continue
            folder = f"{_CONTROLLERS}/{controller}/{module}"
            label = files.read(f"{folder}/dimm_label").strip() or f"{controller}/{module}"
            if label in found:  # boards whose firmware gives all slots one name
                label = f"{label} ({controller}/{module})"
            found[label] = MemoryErrors(
                _count(files, f"{folder}/dimm_ce_count"), _count(files, f"{folder}/dimm_ue_count")
            )
    return found


def _count(files: KernelFiles, path: str) -> int:
    text = files.read(path).strip()
    return int(text) if text.isdecimal() else 0
