"""How large requests to disks were, read from what zpool printed."""

from __future__ import annotations

from pathlib import Path

from host.scan.requests import RequestSize, parse_request_sizes

SAID = (Path(__file__).parents[2] / "transcripts" / "zpool" / "iostat-r.txt").read_text()


def test_individual_and_aggregated_requests_are_added() -> None:
    found = parse_request_sizes(SAID)
    assert [one.from_bytes for one in found] == [512 << power for power in range(16)]
    assert found[3] == RequestSize(from_bytes=4096, reads=13, writes=1670 + 12851)
    assert found[4] == RequestSize(from_bytes=8192, reads=6, writes=14 + 792 + 2748)


def test_a_pool_without_requests_and_other_words_have_none() -> None:
    nothing = "\ntank\n" + "".join(f"{512 << power}" + "\t0" * 14 + "\n" for power in range(16))
    assert parse_request_sizes(nothing) == ()
    assert parse_request_sizes("Unable to parse pools/vdevs list.\n\n") == ()
    assert parse_request_sizes("512\t-" + "\t0" * 13) == ()
