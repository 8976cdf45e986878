"""What the tests of shares have in common."""

from tests.api.conftest import free_disks, six_disks, tank

__all__ = ["free_disks", "six_disks", "tank"]
