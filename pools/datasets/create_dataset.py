"""dataset.create: a file system or a volume."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from host.commands.datasets.zfs import ZfsCreate
from host.inventory import Dataset, Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from pools.datasets.presets import PresetName, expanded, handed_down, preset
from pools.keys.new_key import Cipher, Iterations, KeyRequest, new_key
from pools.keys.roots import root_of
from pools.keys.typed import Key, Passphrase
from pools.mounting import check_new, place_below
from pools.names import dataset_name_fault
from pools.properties import check_properties
from pools.quotas.limits import in_bytes, in_words
from pools.sentences import shares_around

_Text = Annotated[str, Meta(max_length=1024)]
_DEFAULT_BLOCK_BYTES = 16 << 10  # volblocksize unless chosen (OpenZFS 2.2 and later)


class CreateDataset(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Create a dataset by its whole path. A volume needs `volume_bytes`; `sparse` reserves nothing for it.

    A `preset` stands for a set of properties; those in `properties` win over it. With a `passphrase` or
    a `key` (64 hex digits) it is encrypted by that; else it is as what is above it, unless `encryption` says.
    """

    name: _Text
    kind: Literal["filesystem", "volume"] = "filesystem"
    preset: PresetName | None = None
    properties: dict[_Text, Annotated[str, Meta(max_length=10_240)]] = {}
    volume_bytes: Annotated[int, Meta(ge=1, le=1 << 62)] | None = None
    sparse: bool = False
    encryption: Cipher | None = None
    passphrase: Passphrase | None = None
    key: Key | None = None
    pbkdf2iters: Iterations | None = None


def plan(request: CreateDataset, inventory: Inventory) -> Plan:
    """Raises `Refused` with all that is wrong with the name, the size or the properties."""
    findings = Findings()
    _check_name(request.name, inventory, findings)
    table = inventory.facts.native
    check_properties(request.properties, "properties", findings, kind=request.kind, table=table)
    parent = inventory.dataset(request.name.rpartition("/")[0])
    _check_preset(request, parent, findings)
    if request.kind == "volume" and "volsize" in request.properties:
        findings.error("wrong-place", "properties.volsize", "Give the size as volume_bytes.")
    _check_volume(request, inventory, findings)
    asked = KeyRequest(
        encryption=request.encryption,
        passphrase=request.passphrase,
        key=request.key,
        iterations=request.pbkdf2iters,
    )
    key = new_key(request.name, asked, parent, findings)
    findings.refuse_on_error()
    check_new(request.name, request.kind, request.properties, parent, findings)
    findings.refuse_on_error()
    command = ZfsCreate(
        name=request.name,
        properties=expanded(request.preset, request.kind, dict(request.properties), parent) | key.properties,
        volume_bytes=request.volume_bytes,
        sparse=request.sparse,
        secret=key.secret,
    )
    kind = "volume" if request.kind == "volume" else "dataset"
    return Plan(
        operation="dataset.create",
        steps=(Step(title=f"Create {kind} {request.name}", commands=(command,)),),
        summary=_summary(request, parent, inventory),
        findings=findings.all(),
        claims=(f"dataset:{request.name}",),
    )


def _summary(request: CreateDataset, parent: Dataset | None, inventory: Inventory) -> str:
    setup = f"is set up with the {preset(request.preset).title} preset and " if request.preset else ""
    if request.volume_bytes is not None:
        size, pool = in_words(request.volume_bytes), request.name.partition("/")[0]
        return sentences(
            f"The new volume {request.name} of {size} {setup}appears as a block device.",
            f"It is sparse: it takes space only as it is written, and writes to it fail once {pool} is full."
            if request.sparse
            else f"All of its space is reserved in {pool} at once.",
            _encryption(request, parent),
        )
    quota = in_bytes(request.properties.get("quota") or request.properties.get("refquota") or "")
    name = f"{request.name} with a quota of {in_words(quota)}" if quota else request.name
    place = request.properties.get("mountpoint") or place_below(parent, request.name) or ""
    if request.properties.get("canmount", "on") != "on" or not place.startswith("/"):
        first = f"The new file system {name} {setup or 'is created and '}stays unmounted."
        return sentences(first, _encryption(request, parent))
    around = shares_around(place, inventory)
    return sentences(
        f"The new file system {name} {setup or 'is '}mounted at {place}.",
        _encryption(request, parent),
        f"It appears as a folder in {around}."
        if around
        else "Nobody can reach it over the network until it is shared.",
    )


def _encryption(request: CreateDataset, parent: Dataset | None) -> str:
    if request.passphrase is not None or request.key is not None:
        what = "passphrase" if request.passphrase is not None else "key"
        return (
            f"It is encrypted with its own {what}: that has to be entered after each restart, and without it "
            "nobody can ever read the data again."
        )
    root = root_of(parent) if parent else None
    if parent is None or root is None:
        return ""
    if request.encryption == "off":
        return f"It is not encrypted, although {parent.name} above it is."
    return f"It is encrypted and opens with the key of {root}."


def _check_name(name: str, inventory: Inventory, findings: Findings) -> None:
    if fault := dataset_name_fault(name):
        findings.error("bad-name", "name", fault)
    elif inventory.dataset(name):
        findings.error("name-taken", "name", f"There is a dataset {name} already.")
    else:
        parent = inventory.dataset(name.rpartition("/")[0])
        if parent is None:
            findings.error(
                "unknown-parent", "name", f"Create {name.rpartition('/')[0]} first: it does not exist."
            )
        elif parent.kind == "volume":
            findings.error("parent-is-volume", "name", f"{parent.name} is a volume and holds no datasets.")


def _check_preset(request: CreateDataset, parent: Dataset | None, findings: Findings) -> None:
    if request.preset is None:
        return
    found = preset(request.preset)
    if not found.of_kind(request.kind):
        findings.error(
            "no-such-preset", "preset", f"There is no preset “{found.title}” for a {request.kind}."
        )
        return
    for choice in found.of_kind(request.kind):
        if choice.property not in request.properties:
            how = ", inherited" if handed_down(choice, parent) else ""
            message = f"{choice.property}={choice.value}{how}: {choice.why}"
            findings.info("preset", f"properties.{choice.property}", message)
    if request.preset == "time-machine" and not {"quota", "refquota"} & request.properties.keys():
        message = "Time Machine fills all the space it can get. A quota keeps room for everything else."
        findings.warning("no-quota", "properties.quota", message)


def _check_volume(request: CreateDataset, inventory: Inventory, findings: Findings) -> None:
    if request.kind == "filesystem":
        if request.volume_bytes is not None:
            findings.error("not-a-volume", "volume_bytes", "Only a volume has a size.")
        if request.sparse:
            findings.error("not-a-volume", "sparse", "Only a volume can be sparse.")
        return
    if request.volume_bytes is None:
        findings.error("required", "volume_bytes", "A volume needs a size.")
        return
    block = _block_bytes(request.properties.get("volblocksize"))
    if request.volume_bytes % block:
        message = f"The size must be a multiple of the block size, {block} bytes."
        findings.error("not-a-multiple", "volume_bytes", message)
    root = inventory.dataset(request.name.partition("/")[0])
    if root and not request.sparse and request.volume_bytes > root.number("available"):
        message = f"Only {root.number('available')} bytes are available. Make it smaller, or sparse."
        findings.error("no-space", "volume_bytes", message)


def _block_bytes(value: str | None) -> int:
    if value is None:
        return _DEFAULT_BLOCK_BYTES
    text = value.upper().removesuffix("K")
    if not text.isdecimal() or len(text) > 9:
        return 1  # the property's own finding says what is wrong
    return max(1, int(text) * (1024 if value.upper().endswith("K") else 1))
