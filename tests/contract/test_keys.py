"""Encrypted datasets: how they are made, locked and unlocked, and in which words that fails."""

from __future__ import annotations

import pytest

from host.base import Host
from host.commands.datasets.keys import ForgetSecrets, ZfsChangeKey, ZfsLoadKey, ZfsTestKey, ZfsUnloadKey
from host.commands.datasets.zfs import ZfsCreate, ZfsMount, ZfsUnmount
from host.secrets import SecretGone
from tests.contract import secrets
from tests.contract.bench import Bench
from tests.contract.secrets import (
    BAD_HEX_KEY,
    HEX_KEY,
    OTHER_PHRASE,
    PHRASE,
    SHORT_HEX_KEY,
    SHORT_PHRASE,
    WRONG_HEX_KEY,
    WRONG_PHRASE,
    reference,
)

BY_PHRASE = {"encryption": "aes-256-gcm", "keyformat": "passphrase", "keylocation": "prompt"}
BY_HEX = BY_PHRASE | {"keyformat": "hex"}
FEW = BY_PHRASE | {"pbkdf2iters": "100000"}  # the least: an emulated machine takes its time
SHOWN = ("encryption", "keylocation", "keyformat", "pbkdf2iters", "encryptionroot", "keystatus")


def encrypted(tank: Bench, properties: dict[str, str] = FEW, secret: str = PHRASE) -> str:
    """A new encryption root inside a fresh dataset."""
    name = f"{tank.fresh()}/private"
    tank.host.run(ZfsCreate(name=name, properties=properties, secret=reference(secret)))
    return name


def lock(tank: Bench, name: str) -> None:
    tank.host.run(ZfsUnmount(name=name))
    tank.host.run(ZfsUnloadKey(name=name))


def shown(tank: Bench, name: str) -> dict[str, tuple[str, str]]:
    properties = tank.dataset(name).properties
    return {key: (properties[key].value, properties[key].source) for key in SHOWN if key in properties}


def test_what_is_not_encrypted_says_so(tank: Bench) -> None:
    assert shown(tank, tank.fresh()) == {
        "encryption": ("off", "default"),
        "keylocation": ("none", "default"),
        "keyformat": ("none", "default"),
        "pbkdf2iters": ("0", "default"),
    }


def test_a_passphrase_makes_an_encryption_root_and_children_share_it(tank: Bench) -> None:
    name = encrypted(tank)
    tank.host.run(ZfsCreate(name=f"{name}/child"))
    assert shown(tank, name) == {
        "encryption": ("aes-256-gcm", "none"),
        "keylocation": ("prompt", "local"),
        "keyformat": ("passphrase", "none"),
        "pbkdf2iters": ("100000", "none"),
        "encryptionroot": (name, "none"),
        "keystatus": ("available", "none"),
    }
    assert shown(tank, f"{name}/child") == {
        "encryption": ("aes-256-gcm", "none"),
        "keylocation": ("none", "default"),
        "keyformat": ("passphrase", "none"),
        "pbkdf2iters": ("100000", "none"),
        "encryptionroot": (name, "none"),
        "keystatus": ("available", "none"),
    }
    assert tank.dataset(f"{name}/child").mounted


@pytest.mark.core
def test_locked_it_shows_its_sizes_and_is_not_mounted_until_it_is_unlocked(tank: Bench) -> None:
    name = encrypted(tank)
    tank.host.run(ZfsCreate(name=f"{name}/child"))
    lock(tank, name)
    for each in (name, f"{name}/child"):
        found = tank.dataset(each)
        assert (found.value("keystatus"), found.mounted) == ("unavailable", False)
        assert found.number("used") > 0
    refused = tank.refuse(ZfsMount(name=name))
    assert (refused.exit, refused.stderr) == (1, f"cannot mount '{name}': encryption key not loaded\n")
    tank.host.run(ZfsLoadKey(name=name, secret=reference(PHRASE)))
    assert tank.value(f"{name}/child", "keystatus").value == "available"
    assert not tank.dataset(name).mounted
    for each in (name, f"{name}/child"):
        tank.host.run(ZfsMount(name=each))
    assert [tank.dataset(each).mounted for each in (name, f"{name}/child")] == [True, True]


def test_a_wrong_passphrase_is_said_in_these_words(tank: Bench) -> None:
    name = encrypted(tank)
    lock(tank, name)
    refused = tank.refuse(ZfsLoadKey(name=name, secret=reference(WRONG_PHRASE)))
    assert refused.exit == 255
    assert refused.stderr == f"Key load error: Incorrect key provided for '{name}'.\n"
    assert tank.value(name, "keystatus").value == "unavailable"


def test_a_key_is_tried_without_loading_it_and_while_it_is_loaded(tank: Bench) -> None:
    name = encrypted(tank)
    right, wrong = reference(PHRASE), reference(WRONG_PHRASE)
    assert tank.host.run(ZfsTestKey(name=name, secret=right)).stdout == "1 / 1 key(s) successfully verified\n"
    lock(tank, name)
    tank.host.run(ZfsTestKey(name=name, secret=right))
    assert tank.value(name, "keystatus").value == "unavailable"
    refused = tank.refuse(ZfsTestKey(name=name, secret=wrong))
    assert (refused.exit, refused.stdout) == (255, "0 / 1 key(s) successfully verified\n")
    assert refused.stderr == f"Key load error: Incorrect key provided for '{name}'.\n"


def test_what_is_open_is_not_opened_again_and_what_is_locked_not_locked_again(tank: Bench) -> None:
    name = encrypted(tank)
    again = tank.refuse(ZfsLoadKey(name=name, secret=reference(PHRASE)))
    assert (again.exit, again.stderr) == (255, f"Key load error: Key already loaded for '{name}'.\n")
    lock(tank, name)
    again = tank.refuse(ZfsUnloadKey(name=name))
    assert (again.exit, again.stderr) == (255, f"Key unload error: Key already unloaded for '{name}'.\n")


def test_what_is_mounted_is_not_locked(tank: Bench) -> None:
    name = encrypted(tank)
    refused = tank.refuse(ZfsUnloadKey(name=name))
    assert (refused.exit, refused.stderr) == (255, f"Key unload error: '{name}' is busy.\n")


def test_a_child_has_no_key_of_its_own(tank: Bench) -> None:
    name = encrypted(tank)
    child = f"{name}/child"
    tank.host.run(ZfsCreate(name=child))
    refused = tank.refuse(ZfsLoadKey(name=child, secret=reference(PHRASE)))
    where = f"encryption root of '{child}' ({name})."
    assert (refused.exit, refused.stderr) == (255, f"Key load error: Keys must be loaded for {where}\n")
    refused = tank.refuse(ZfsUnloadKey(name=child))
    assert refused.stderr == f"Key unload error: Keys must be unloaded for {where}\n"


def test_what_is_not_encrypted_has_no_key(tank: Bench) -> None:
    name = tank.fresh()
    refused = tank.refuse(ZfsLoadKey(name=name, secret=reference(PHRASE)))
    assert (refused.exit, refused.stderr) == (255, f"Key load error: '{name}' is not encrypted.\n")


@pytest.mark.parametrize(
    ("properties", "secret", "words"),
    [
        (BY_PHRASE, SHORT_PHRASE, "Passphrase too short (min 8)."),
        (BY_HEX, SHORT_HEX_KEY, "Hex key too short (expected 64)."),
        (BY_HEX, BAD_HEX_KEY, "Invalid hex character detected."),
    ],
)
def test_a_key_of_the_wrong_form_makes_nothing(
    tank: Bench, properties: dict[str, str], secret: str, words: str
) -> None:
    above = tank.fresh()
    name = f"{above}/private"
    refused = tank.refuse(ZfsCreate(name=name, properties=properties, secret=reference(secret)))
    assert (refused.exit, refused.stderr) == (1, f"cannot create '{name}': {words}\n")
    assert tank.below(above) == []


def test_hex_digits_open_a_hex_key_and_a_raw_one(tank: Bench) -> None:
    for key_format in ("hex", "raw"):
        name = encrypted(tank, BY_HEX | {"keyformat": key_format}, HEX_KEY)
        assert shown(tank, name)["keyformat"] == (key_format, "none")
        assert shown(tank, name)["pbkdf2iters"] == ("0", "default")
        lock(tank, name)
        wrong = ZfsLoadKey(name=name, secret=reference(WRONG_HEX_KEY), key_format=key_format)
        assert tank.refuse(wrong).stderr == f"Key load error: Incorrect key provided for '{name}'.\n"
        right = ZfsLoadKey(name=name, secret=reference(HEX_KEY), key_format=key_format)
        tank.host.run(right)
        assert tank.value(name, "keystatus").value == "available"


def test_another_passphrase_takes_the_place_of_the_first(tank: Bench) -> None:
    name = encrypted(tank)
    tank.host.run(ZfsChangeKey(name=name, secret=reference(OTHER_PHRASE), iterations=100_000))
    lock(tank, name)
    tank.refuse(ZfsLoadKey(name=name, secret=reference(PHRASE)))
    tank.host.run(ZfsLoadKey(name=name, secret=reference(OTHER_PHRASE)))
    assert tank.value(name, "keystatus").value == "available"


def test_a_child_gets_a_key_of_its_own_and_shares_again(tank: Bench) -> None:
    name = encrypted(tank)
    child = f"{name}/child"
    tank.host.run(ZfsCreate(name=child))
    change = ZfsChangeKey(name=child, secret=reference(HEX_KEY), key_format="hex")
    tank.host.run(change)
    assert shown(tank, child)["encryptionroot"] == (child, "none")
    assert shown(tank, child)["keyformat"] == ("hex", "none")
    tank.host.run(ZfsChangeKey(name=child))
    assert shown(tank, child)["encryptionroot"] == (name, "none")
    assert shown(tank, child)["keyformat"] == ("passphrase", "none")
    refused = tank.refuse(ZfsChangeKey(name=child))
    words = "Key inheritting can only be performed on encryption roots."
    assert (refused.exit, refused.stderr) == (255, f"Key change error: {words}\n")
    refused = tank.refuse(ZfsChangeKey(name=name))
    assert (refused.exit, refused.stderr) == (255, "Key change error: Parent must be encrypted.\n")


def test_a_locked_one_keeps_its_key(tank: Bench) -> None:
    name = encrypted(tank)
    lock(tank, name)
    refused = tank.refuse(ZfsChangeKey(name=name, secret=reference(OTHER_PHRASE)))
    assert (refused.exit, refused.stderr) == (255, "Key change error: Key must be loaded.\n")


def test_nothing_is_made_below_what_is_locked(tank: Bench) -> None:
    name = encrypted(tank)
    lock(tank, name)
    refused = tank.refuse(ZfsCreate(name=f"{name}/child"))
    words = "encryption root's key is not loaded or provided"
    assert (refused.exit, refused.stderr) == (1, f"cannot create '{name}/child': {words}\n")


def test_a_cipher_without_a_key_is_refused(tank: Bench) -> None:
    name = f"{tank.fresh()}/private"
    refused = tank.refuse(ZfsCreate(name=name, properties={"encryption": "on"}))
    words = "Keyformat required for new encryption root."
    assert (refused.exit, refused.stderr) == (1, f"cannot create '{name}': {words}\n")


def test_an_encrypted_volume_opens_with_what_is_above_it(tank: Bench) -> None:
    name = encrypted(tank)
    tank.host.run(ZfsCreate(name=f"{name}/volume", volume_bytes=16 << 20, sparse=True))
    assert shown(tank, f"{name}/volume")["encryptionroot"] == (name, "none")


def test_a_secret_is_gone_once_it_is_forgotten(host: Host) -> None:
    secret = reference(secrets.DISPOSABLE)
    host.run(ForgetSecrets(references=(secret,)))
    with pytest.raises(SecretGone):
        host.run(ZfsLoadKey(name="contract/any", secret=secret))
    host.run(ForgetSecrets(references=(secret,)))
