"""What the next start of the machine will find: kernels, and which pools it imports by itself."""

from __future__ import annotations

from typing import Literal

import msgspec

Ecc = Literal["yes", "no", "unknown"]
Service = Literal["enabled", "disabled", "missing", "unknown"]


class Kernel(msgspec.Struct, frozen=True, kw_only=True):
    """An installed kernel."""

    version: str  # as `uname -r` would say
    zfs_module: bool  # one is there for it, in whatever version


class BootImport(msgspec.Struct, frozen=True, kw_only=True):
    """How pools come back at the start of the machine.

    zfs-import-cache.service imports what the cache file names; zfs-import-scan.service, which searches all
    disks, runs only where there is no such file (their conditions in OpenZFS' etc/systemd/system).
    """

    from_cache: Service
    by_scan: Service
    mounting: Service  # zfs-mount.service
    watching: Service = "unknown"  # zfs-zed.service
    watched: bool | None = None  # it runs now
    cached: tuple[str, ...] | None  # guids of the pools in the cache file; None where it cannot be read

    def brings_back(self, pool_guid: str) -> bool | None:
        """Whether that pool will be imported; None where that is not known."""
        if self.cached is None or "unknown" in {self.from_cache, self.by_scan}:
            return None
        if self.cached:
            return self.from_cache == "enabled" and pool_guid in self.cached
        return self.by_scan == "enabled"
