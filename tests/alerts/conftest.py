"""What the tests of alerts share."""

from tests.api.conftest import free_disks, six_disks, tank

__all__ = ["free_disks", "six_disks", "tank"]
