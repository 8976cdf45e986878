"""What held a measurement of the network up."""

from __future__ import annotations

import msgspec
import pytest

from host.network_speed.values import Transfer
from machine.network_speed.answers import bottleneck

BETWEEN = "Something between: the other machine's link, a switch, or a wireless network."
NEARLY_FULL = Transfer(
    direction="sent", peer="192.168.1.20", local="192.168.1.10", bytes_per_s=117.6e6, seconds=10.0,
    retransmits=3, processor_here=0.1, processor_there=0.2,
)  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "mbit", "words"),
    [
        ({}, 1000, "The link: there is no faster way with this port."),
        ({"bytes_per_s": 11.7e6}, 100,
         "The link, which has only 100 Mbit/s: mostly a damaged cable, or an old switch."),
        ({"processor_here": 0.97}, 10000, "The processor of this machine."),
        ({"processor_there": 0.97}, 10000, "The processor of the other machine."),
        ({"retransmits": 4000}, 10000, "Lost packets: 4000 were sent again. Look at cables and switches."),
        ({}, 10000, BETWEEN),
        ({"retransmits": None}, None, BETWEEN),
    ],
)  # fmt: skip
def test_what_held_it_up(changes: dict[str, float | int | None], mbit: int | None, words: str) -> None:
    assert bottleneck(msgspec.structs.replace(NEARLY_FULL, **changes), mbit) == words
