"""The pool builder's form: what was typed and ticked, to and from the request of `pool.create`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args

import msgspec
from django.http import QueryDict

from frontend.typed_size import whole_typed
from host.layouts import ImpossibleLayout, draid, kind
from pools.advice.arrangements import Arrangement, from_key, mirrors_of
from pools.advice.recommendation import Use

ROLES = ("data", "spare", "log", "cache", "special", "dedup")
MIRRORED = ("log", "special", "dedup")  # two disks or more of these become a mirror
_ROOT_FIELDS = ("compression", "atime")
_TEXT_FIELDS = ("name", "ashift", "mountpoint", "compression", "atime", "autotrim")


class PoolForm(msgspec.Struct, frozen=True, kw_only=True):
    """What stands in the form. An empty text means the default."""

    name: str = ""
    layout: str = ""  # the key of an arrangement
    advised: str = (
        ""  # the key that was recommended: if it is the one chosen, a new recommendation replaces it
    )
    use: Use = "mixed"
    ashift: str = ""
    mountpoint: str = ""
    compression: str = ""
    atime: str = ""
    autotrim: str = ""
    picks: dict[str, tuple[str, ...]] = {}

    @property
    def role_of(self) -> dict[str, str]:
        """The role each picked disk was given, by its id."""
        return {disk: role for role, disks in self.picks.items() for disk in disks}

    def of(self, role: str) -> tuple[str, ...]:
        """The disks picked for `role`."""
        return self.picks.get(role, ())

    @property
    def ashift_number(self) -> int | None:
        """The ashift for estimates; None where none, or none that can be, was chosen."""
        number = whole_typed(self.ashift)
        return number if isinstance(number, int) and 9 <= number <= 16 else None


def from_post(post: QueryDict, *, order: Sequence[str]) -> PoolForm:
    """The form as it was sent; disks in the `order` of their bays, unknown ones at the end."""
    place = {disk: index for index, disk in enumerate(order)}
    picks = {
        role: tuple(sorted(dict.fromkeys(post.getlist(role)), key=lambda disk: place.get(disk, len(place))))
        for role in ROLES
    }
    texts: dict[str, Any] = {field: post.get(field, "").strip() for field in _TEXT_FIELDS}
    use: Use = next((known for known in get_args(Use) if known == post.get("use")), "mixed")
    return PoolForm(
        layout=post.get("layout", ""), advised=post.get("advised", ""), use=use,
        picks={r: d for r, d in picks.items() if d}, **texts,
    )  # fmt: skip


def from_request(data: Mapping[str, Any]) -> PoolForm:
    """The form that a request came from; of a foreign request as much as the form can show."""
    vdevs = [vdev for vdev in data.get("vdevs") or () if isinstance(vdev, dict)]
    picks: dict[str, tuple[str, ...]] = {}
    for vdev in vdevs:
        role = vdev.get("role", "data")
        disks = tuple(disk for disk in vdev.get("disks") or () if isinstance(disk, str))
        if role in ROLES:
            picks[role] = (*picks.get(role, ()), *disks)
    data_vdevs = [vdev for vdev in vdevs if vdev.get("role", "data") == "data"]
    texts: dict[str, Any] = {
        "name": data.get("name"),
        "ashift": data.get("ashift"),
        "mountpoint": data.get("mountpoint"),
        "autotrim": (data.get("properties") or {}).get("autotrim"),
    } | {field: (data.get("root_properties") or {}).get(field) for field in _ROOT_FIELDS}
    layout = _key(data_vdevs)
    typed: dict[str, Any] = {k: "" if v is None else str(v) for k, v in texts.items()}
    return PoolForm(layout=layout, picks=picks, **typed)


def beside(form: PoolForm, *, spares: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The vdevs of all roles but data; `spares` join those that were picked."""
    vdevs: list[dict[str, Any]] = []
    for role in ROLES[1:]:
        disks = (*form.of(role), *(spares if role == "spare" else ()))
        mirrored = role in MIRRORED and len(disks) > 1
        layout = "mirror" if mirrored else "stripe"
        groups = mirrors_of(disks) if mirrored else (disks,)
        vdevs += [{"role": role, "layout": layout, "disks": list(group)} for group in groups if group]
    return vdevs


def to_request(form: PoolForm, sizes: Mapping[str, int]) -> dict[str, Any]:
    """The data of `pool.create`. What is left to its default is left out. `sizes` are the disks' bytes."""
    arrangement = from_key(form.layout) or Arrangement(layout="stripe")
    deal = arrangement.deal(form.of("data"), sizes)
    vdevs = [
        {"role": "data", "layout": arrangement.layout, "disks": list(disks)} for disks in deal.groups
    ] + beside(form, spares=deal.spares)
    root = {field: getattr(form, field) for field in _ROOT_FIELDS if getattr(form, field)}
    request: dict[str, Any] = {"name": form.name, "vdevs": [vdev for vdev in vdevs if vdev["disks"]]}
    if form.ashift:
        request["ashift"] = whole_typed(form.ashift)
    if form.autotrim:
        request["properties"] = {"autotrim": form.autotrim}
    if root:
        request["root_properties"] = root
    if form.mountpoint:
        request["mountpoint"] = form.mountpoint
    return request


def _key(data_vdevs: Sequence[Mapping[str, Any]]) -> str:
    if not data_vdevs:
        return ""
    layout, disks = str(data_vdevs[0].get("layout")), data_vdevs[0].get("disks")
    if kind(layout) == "draid" and isinstance(disks, list):
        try:
            layout = draid(layout, len(disks)).name
        except ImpossibleLayout:
            return ""
    return Arrangement(layout=layout, vdevs=1 if layout == "stripe" else len(data_vdevs)).key
