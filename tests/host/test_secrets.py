"""The store of secrets, and that a secret reaches a command's input and nothing else."""

from __future__ import annotations

import os
import time
from pathlib import Path

import msgspec
import pytest

from host import secrets
from host.base import HostError
from host.commands.base import Fed
from host.commands.closed import decode, encode
from host.commands.datasets.keys import STORE, ForgetSecrets, ZfsChangeKey, ZfsLoadKey, ZfsTestKey
from host.commands.datasets.zfs import ZfsCreate
from host.secrets import KEPT_S, SecretGone, SecretStore

PHRASE = "marker of a passphrase"


@pytest.fixture
def store(tmp_path: Path) -> SecretStore:
    return SecretStore(tmp_path / "store")


def test_what_is_put_is_read_until_it_is_dropped(store: SecretStore, tmp_path: Path) -> None:
    reference = store.put(PHRASE)
    assert PHRASE not in reference
    assert store.has(reference)
    assert store.read(reference) == PHRASE
    store.drop(reference)
    store.drop(reference)
    assert not store.has(reference)
    with pytest.raises(SecretGone, match="Enter it again"):
        store.read(reference)
    assert list((tmp_path / "store").iterdir()) == []


def test_nobody_else_can_read_it(store: SecretStore, tmp_path: Path) -> None:
    store.put(PHRASE)
    folder = tmp_path / "store"
    (file,) = folder.iterdir()
    assert (folder.stat().st_mode & 0o777, file.stat().st_mode & 0o777) == (0o700, 0o600)


def test_what_nobody_used_in_time_cannot_be_read_and_is_swept(store: SecretStore, tmp_path: Path) -> None:
    late, fresh = store.put(PHRASE), store.put("another")
    file = tmp_path / "store" / late.partition(":")[2]
    then = time.time() - KEPT_S - 1
    os.utime(file, (then, then))
    assert not store.has(late)
    with pytest.raises(SecretGone):
        store.read(late)
    SecretStore(tmp_path / "store").sweep()
    assert not file.exists()
    assert store.read(fresh) == "another"


def test_a_link_leads_nowhere(store: SecretStore, tmp_path: Path) -> None:
    reference = store.put(PHRASE)
    file = tmp_path / "store" / reference.partition(":")[2]
    file.unlink()
    (tmp_path / "other").write_text("of root")
    file.symlink_to(tmp_path / "other")
    with pytest.raises(SecretGone):
        store.read(reference)


@pytest.mark.parametrize("reference", ["secret:../../etc/shadow", "secret:", "secret:/etc/shadow", ""])
def test_a_reference_is_no_path(store: SecretStore, tmp_path: Path, reference: str) -> None:
    store.put(PHRASE)
    assert not store.has(reference)
    store.drop(reference)
    with pytest.raises(SecretGone):
        store.read(reference)


def test_a_line_or_the_bytes_of_hex_digits_are_fed(store: SecretStore) -> None:
    assert store.fed(Fed(store.put(PHRASE), "the passphrase")) == PHRASE.encode() + b"\n"
    assert store.fed(Fed(store.put("00ff" * 16), "the key", as_bytes=True)) == bytes([0, 255] * 16)


def test_a_command_shows_that_something_is_fed_and_not_what() -> None:
    one, other = f"secret:{'a' * 32}", f"secret:{'b' * 32}"
    commands = [ZfsLoadKey(name="tank/private", secret=secret) for secret in (one, other)]
    assert commands[0].shown() == (
        "zfs",
        "load-key",
        "-L",
        "prompt",
        "tank/private",
        "<<<",
        "(the passphrase)",
    )
    assert commands[0].shown() == commands[1].shown()
    assert commands[0].argv() == ("zfs", "load-key", "-L", "prompt", "tank/private")
    new = ZfsCreate(name="tank/p", properties={"encryption": "on", "keyformat": "hex"}, secret=one)
    assert new.shown()[-2:] == ("<<<", "(the key)")
    assert ZfsChangeKey(name="tank/p").shown() == ("zfs", "change-key", "-i", "tank/p")


def test_a_secret_in_the_place_of_a_reference_is_no_command() -> None:
    good = ZfsLoadKey(name="tank/private", secret=f"secret:{'a' * 32}")
    assert decode(encode(good)) == good
    bad = encode(good).replace(b"secret:" + b"a" * 32, PHRASE.encode())
    with pytest.raises(msgspec.ValidationError) as refused:
        decode(bad)
    assert PHRASE not in str(refused.value)


def test_forgetting_removes_files_of_the_store_alone() -> None:
    command = ForgetSecrets(references=(f"secret:{'a' * 32}",))
    assert command.argv() == ("rm", "-f", "--", f"/run/nasweb-secrets/{'a' * 32}")
    assert Path(STORE) == secrets.FOLDER


def test_a_secret_that_is_gone_is_a_fault_of_the_host() -> None:
    assert issubclass(SecretGone, HostError)


def test_a_key_is_read_from_nowhere_but_standard_input() -> None:
    """A foreign pool's keylocation may be file:///dev/zero."""
    secret = f"secret:{'a' * 32}"
    for command in (ZfsLoadKey(name="tank/p", secret=secret), ZfsTestKey(name="tank/p", secret=secret)):
        argv = command.argv()
        assert argv[argv.index("-L") + 1] == "prompt"
