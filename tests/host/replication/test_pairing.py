"""What two Naswebs send each other when they are paired, and what somebody between them may try."""

from __future__ import annotations

import msgspec
import pytest

from host.pairing import protocol
from host.pairing.exchange import NotPaired, pair
from host.pairing.probed import missing_rights
from host.pairing.protocol import Answering, NotTheCode
from tests.host.replication.test_connections import KEY

OTHER = KEY.replace("LFGhr1", "LFGhr2")
CODE = protocol.make_code()
ANSWERING = Answering(
    name="cellar", user="nasweb-peer", port=22, host_keys=(KEY,), root="tank/replicas/attic", zfs="2.3.9"
)


def test_a_code_is_typed_as_it_is_read() -> None:
    assert protocol.plain(f" {protocol.shown(CODE).lower()} ") == CODE
    assert protocol.plain("0181") == "OIBI"
    assert protocol.code_fault(protocol.shown(CODE)) is None
    assert protocol.code_fault("ABCD-EFGH") is not None
    assert len({protocol.make_code() for _ in range(50)}) == 50


def test_both_sides_believe_each_other() -> None:
    data, asked = protocol.ask("attic", KEY, CODE)
    asking, heard = protocol.read_ask(data, CODE)
    assert (asking.name, asking.key, heard) == ("attic", KEY, asked)
    assert protocol.read_answer(protocol.answer(ANSWERING, heard, CODE), asked, CODE) == ANSWERING
    assert CODE.encode() not in data + protocol.answer(ANSWERING, heard, CODE)


def test_as_many_datasets_as_may_be_shared_fit_into_an_answer() -> None:
    shared = tuple(f"tank/{number:03}{'x' * 247}" for number in range(200))
    answering = msgspec.structs.replace(ANSWERING, shared=shared)
    _, asked = protocol.ask("attic", KEY, CODE)
    assert protocol.read_answer(protocol.answer(answering, asked, CODE), asked, CODE) == answering


def tampered(data: bytes) -> list[bytes]:
    message = msgspec.json.decode(data)
    said = message["said"]
    return [
        msgspec.json.encode(message | {"said": said.replace(KEY, OTHER)}),
        msgspec.json.encode(message | {"said": said + " "}),
        msgspec.json.encode(message | {"mac": "0" * 64}),
        msgspec.json.encode(message | {"more": 1}),
        data[:-1],
        b"",
        b"[" * 9000,
        b"\xff\xfe",
        data + b" " * protocol.LONGEST_ANSWER_BYTES,
    ]


def test_what_was_changed_on_the_way_is_not_believed() -> None:
    data, asked = protocol.ask("attic", KEY, CODE)
    for bad in tampered(data):
        with pytest.raises(NotTheCode):
            protocol.read_ask(bad, CODE)
    for bad in tampered(protocol.answer(ANSWERING, asked, CODE)):
        with pytest.raises(NotTheCode):
            protocol.read_answer(bad, asked, CODE)


def test_neither_another_code_nor_another_message_fits() -> None:
    data, asked = protocol.ask("attic", KEY, CODE)
    with pytest.raises(NotTheCode):
        protocol.read_ask(data, protocol.make_code())
    later, _ = protocol.ask("attic", KEY, CODE)
    assert later != data  # its nonce
    answer = protocol.answer(ANSWERING, asked, CODE)
    with pytest.raises(NotTheCode):
        protocol.read_answer(answer, protocol.read_ask(later, CODE)[1], CODE)
    with pytest.raises(NotTheCode):  # sent back to who asked
        protocol.read_answer(data, asked, CODE)


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (404, b"", "does not wait for this code"),
        (200, b"<html>", "somebody may stand between"),
        (301, b"", "answered with status 301"),
    ],
)
def test_says_why_nothing_was_paired(status: int, body: bytes, words: str) -> None:
    with pytest.raises(NotPaired, match=words):
        pair("attic", KEY, "cellar", 443, CODE, lambda host, port, data: (status, body))


def test_rights_that_are_missing_are_named() -> None:
    said = "---- Permissions on vault ----\nLocal+Descendent permissions:\n\tuser backup create,mount\n"
    missing = missing_rights(f"{said}\teveryone receive\n", "backup")
    assert "receive" not in missing and "create" not in missing and "destroy" in missing
