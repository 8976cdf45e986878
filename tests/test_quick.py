"""`make quick` finds the tests of what was changed."""

from __future__ import annotations

from scripts.quick import affected


def test_a_test_that_takes_something_from_a_module_is_one_of_its_tests() -> None:
    found, others = affected(["replication/replications/following.py"])
    assert "tests/frontend/test_replication_pages.py" in found
    assert "tests/disks/test_trends.py" not in found
    assert others > 100
