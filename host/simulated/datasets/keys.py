"""zfs load-key, unload-key and change-key on simulated pools, and the keys of new datasets."""

from __future__ import annotations

from host.base import Result
from host.commands.datasets.keys import ZfsChangeKey, ZfsLoadKey, ZfsTestKey, ZfsUnloadKey
from host.simulated.datasets.lifecycle import find
from host.simulated.datasets.locks import below_key, encryption, fits, is_locked, root_of
from host.simulated.datasets.new_keys import FAILED, check_form, new_key, usual_iterations
from host.simulated.handlers import fed, on
from host.simulated.refusal import Refusal, done
from host.simulated.state import Dataset, Key, Machine, Pool

_VERIFIED = "1 / 1 key(s) successfully verified\n"
_NONE_VERIFIED = "0 / 1 key(s) successfully verified\n"


def load(machine: Machine, command: ZfsLoadKey, given: bytes) -> Result:
    """zfs load-key of one encryption root."""
    pool, _, key = _keyed(machine, command.name, "Key load error", "loaded")
    if key.loaded:
        raise _no(f"Key load error: Key already loaded for '{command.name}'.")
    check_form(key, given, "Key load error")
    if not fits(key, given):
        raise _no(f"Key load error: Incorrect key provided for '{command.name}'.")
    key.loaded = True
    pool.txg += 1
    return done()


def test(machine: Machine, command: ZfsTestKey, given: bytes) -> Result:
    """zfs load-key -n."""
    _, _, key = _keyed(machine, command.name, "Key load error", "loaded")
    check_form(key, given, "Key load error")
    if not fits(key, given):
        raise Refusal(
            f"Key load error: Incorrect key provided for '{command.name}'.\n",
            exit_status=FAILED,
            stdout=_NONE_VERIFIED,
        )
    return done(_VERIFIED)


def unload(machine: Machine, command: ZfsUnloadKey) -> Result:
    """zfs unload-key of one encryption root."""
    pool, dataset, key = _keyed(machine, command.name, "Key unload error", "unloaded")
    if not key.loaded:
        raise _no(f"Key unload error: Key already unloaded for '{command.name}'.")
    if any(one.mounted or one.busy for one in below_key(pool, dataset)):
        raise _no(f"Key unload error: '{command.name}' is busy.")
    key.loaded = False
    return done()


def change(machine: Machine, command: ZfsChangeKey, given: bytes) -> Result:
    """zfs change-key, to a new one or with -i to the parent's."""
    pool, dataset = find(machine, command.name)
    root = root_of(pool, dataset)
    failing = "Key change error"
    if root is None:
        raise _no(f"{failing}: Dataset not encrypted.")
    if command.secret is None:
        return _inherit(pool, dataset, failing)
    if is_locked(pool, dataset):
        raise _no(f"{failing}: Key must be loaded.")
    iterations = command.iterations or usual_iterations(command.key_format)
    dataset.key = new_key(command.key_format, given, iterations, failing, status=FAILED)
    dataset.values["keylocation"] = "prompt"
    pool.txg += 1
    return done()


def _inherit(pool: Pool, dataset: Dataset, failing: str) -> Result:
    parent = pool.datasets.get(dataset.name.rpartition("/")[0])
    if dataset.key is None:
        raise _no(f"{failing}: Key inheritting can only be performed on encryption roots.")
    if is_locked(pool, dataset):
        raise _no(f"{failing}: Key must be loaded.")
    if parent is None:
        raise _no(f"{failing}: Key inheriting cannot be performed on root dataset.")
    if encryption(parent) == "off":
        raise _no(f"{failing}: Parent must be encrypted.")
    if is_locked(pool, parent):
        raise _no(f"{failing}: Parent key must be loaded.")
    dataset.key = None
    dataset.values.pop("keylocation", None)
    pool.txg += 1
    return done()


def _keyed(machine: Machine, name: str, failing: str, done_to: str) -> tuple[Pool, Dataset, Key]:
    pool, dataset = find(machine, name)
    root = root_of(pool, dataset)
    if root is None:
        raise _no(f"{failing}: '{name}' is not encrypted.")
    if dataset.key is None:
        raise _no(f"{failing}: Keys must be {done_to} for encryption root of '{name}' ({root.name}).")
    return pool, dataset, dataset.key


def _no(words: str) -> Refusal:
    return Refusal(f"{words}\n", exit_status=FAILED)


HANDLERS = (
    fed(ZfsLoadKey, load) | fed(ZfsTestKey, test) | on(ZfsUnloadKey, unload) | fed(ZfsChangeKey, change)
)
