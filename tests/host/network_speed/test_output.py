"""What iperf3 printed, read."""

from __future__ import annotations

from pathlib import Path

import pytest

from host.network_speed.output import Failed, Texts, parse

SAID = Path(__file__).parents[2] / "transcripts" / "iperf3"


def said(name: str) -> str:
    return (SAID / f"{name}.json").read_text()


def test_a_client_sends_and_what_arrived_counts() -> None:
    found = parse(said("client"), serves=False)
    assert (found.direction, found.peer, found.local) == ("sent", "127.0.0.1", "127.0.0.1")
    assert found.bytes_per_s == pytest.approx(20_033_967_923.6 / 8) and found.retransmits == 0
    assert found.processor_here == pytest.approx(0.3336, abs=1e-4)
    assert found.processor_there == pytest.approx(0.4811, abs=1e-4)


def test_in_the_reverse_it_receives() -> None:
    found = parse(said("client-reverse"), serves=False)
    assert found.direction == "received" and found.retransmits == 14
    assert found.bytes_per_s == pytest.approx(13_737_210_950.98 / 8)


def test_a_server_knows_its_own_half() -> None:
    found = parse(said("server"), serves=True)
    assert found.direction == "sent" and found.bytes_per_s == pytest.approx(13_817_813_562.6 / 8)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"error": "the server is busy running a test. try again later"}', "busy"),
        ("", "no figures"), ("[]", "no figures"), ("{}", "nothing was connected"),
        ('{"start": {"connected": [1]}}', "no figures"),
    ],
)  # fmt: skip
def test_what_has_no_figures_is_said(text: str, words: str) -> None:
    with pytest.raises(Failed, match=words):
        parse(text, serves=False)
    with pytest.raises(Failed, match="Connection refused"):
        parse(said("refused"), serves=False)


def test_the_lines_of_a_server_are_cut_into_texts() -> None:
    texts, lines = Texts(), said("server").encode().splitlines()
    found = [text for line in lines * 2 if (text := texts.take(line)) is not None]
    assert len(found) == 2 and all(parse(text, serves=True).direction == "sent" for text in found)
