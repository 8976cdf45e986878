"""pool.metadata: the last count of a pool's blocks, or the one that goes on."""

from __future__ import annotations

import msgspec

from host.base import Host
from host.blocks.values import PoolBlocks
from host.probe.datasets.measured import read_pool_blocks
from pools.measuring.beginning import NameText

QUESTION = "pool.metadata"


class AskMetadata(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ask what is known of a pool's blocks."""

    name: NameText


class MetadataFound(msgspec.Struct, frozen=True, kw_only=True):
    """`counted` is None where they were never counted."""

    counted: PoolBlocks | None = None


def answer(request: AskMetadata, host: Host) -> MetadataFound:
    """Raises `HostError`."""
    return MetadataFound(counted=read_pool_blocks(host, request.name))
