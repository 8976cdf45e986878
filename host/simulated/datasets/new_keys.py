"""Keys of datasets that are being made on simulated pools, and what zfs holds against a key's form."""

from __future__ import annotations

from host.simulated.datasets.locks import encryption, is_locked, make_key
from host.simulated.refusal import Refusal
from host.simulated.state import Dataset, Key, Pool

PROPERTIES = {"encryption", "keyformat", "keylocation", "pbkdf2iters"}
FAILED = 255  # zfs load-key and its like answer -1


def of_new(pool: Pool | None, dataset: Dataset, properties: dict[str, str], given: bytes, say: str) -> None:
    """Give a dataset that is being made its cipher and its key, or the ones of its parent."""
    parent = None if pool is None else pool.datasets.get(dataset.name.rpartition("/")[0])
    above = "off" if parent is None else encryption(parent)
    wanted = properties.get("encryption", above)
    cipher = "aes-256-gcm" if wanted == "on" else wanted
    if cipher == "off":
        if "keyformat" in properties:
            raise Refusal(f"{say}: Encryption must be turned on to set encryption properties.\n")
        return
    dataset.fixed["encryption"] = cipher
    if "keyformat" in properties:
        key_format = properties["keyformat"]
        iterations = int(properties.get("pbkdf2iters", usual_iterations(key_format)))
        dataset.key = new_key(key_format, given, iterations, say, status=1)
        dataset.values["keylocation"] = properties.get("keylocation", "prompt")
    elif above == "off":
        raise Refusal(f"{say}: Keyformat required for new encryption root.\n")
    elif pool is not None and parent is not None and is_locked(pool, parent):
        raise Refusal(f"{say}: encryption root's key is not loaded or provided\n")


def usual_iterations(key_format: str) -> int:
    return 350_000 if key_format == "passphrase" else 0


def new_key(key_format: str, given: bytes, iterations: int, say: str, *, status: int) -> Key:
    fresh = Key(format=key_format, salt="", hash="", iterations=iterations)
    check_form(fresh, given, say, status=status)
    return make_key(key_format, given, iterations)


def check_form(key: Key, given: bytes, failing: str, *, status: int = FAILED) -> None:
    line = given.removesuffix(b"\n")
    fault = None
    if key.format == "passphrase":
        if len(line) < 8:
            fault = "Passphrase too short (min 8)."
        elif len(line) > 512:
            fault = "Passphrase too long (max 512)."
    elif key.format == "hex":
        if len(line) != 64:
            fault = f"Hex key too {'short' if len(line) < 64 else 'long'} (expected 64)."
        elif not all(chr(digit) in "0123456789abcdefABCDEF" for digit in line):
            fault = "Invalid hex character detected."
    elif len(given) != 32:
        fault = f"Raw key too {'short' if len(given) < 32 else 'long'} (expected 32)."
    if fault:
        raise Refusal(f"{failing}: {fault}\n", exit_status=status)
