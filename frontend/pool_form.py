"""The pool builder's form: what was typed and ticked, to and from the request of `pool.create`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from django.http import QueryDict

from frontend.layout_choices import Shape, key_of, shape_of

ROLES = ("data", "spare", "log", "cache", "special", "dedup")
MIRRORED = ("log", "special", "dedup")  # two disks or more of these become a mirror
_ROOT_FIELDS = ("compression", "atime")
_TEXT_FIELDS = ("name", "ashift", "mountpoint", "compression", "atime", "autotrim")


class PoolForm(msgspec.Struct, frozen=True, kw_only=True):
    """What stands in the form. An empty text means the default."""

    name: str = ""
    layout: str = ""  # a key of frontend.layout_choices
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
    def ashift_number(self) -> int:
        """The ashift for estimates; 12 unless another was chosen."""
        return int(self.ashift) if self.ashift.isdecimal() and 9 <= int(self.ashift[:3]) <= 16 else 12


def from_post(post: QueryDict, *, order: Sequence[str]) -> PoolForm:
    """The form as it was sent; disks in the `order` of their bays, unknown ones at the end."""
    place = {disk: index for index, disk in enumerate(order)}
    picks = {
        role: tuple(sorted(dict.fromkeys(post.getlist(role)), key=lambda disk: place.get(disk, len(place))))
        for role in ROLES
    }
    texts = {field: post.get(field, "").strip() for field in _TEXT_FIELDS}
    return PoolForm(layout=post.get("layout", ""), picks={r: d for r, d in picks.items() if d}, **texts)


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
    layout = key_of(str(data_vdevs[0].get("layout")), len(data_vdevs)) if data_vdevs else ""
    return PoolForm(layout=layout, picks=picks, **{k: "" if v is None else str(v) for k, v in texts.items()})


def to_request(form: PoolForm) -> dict[str, Any]:
    """The data of `pool.create`. What is left to its default is left out."""
    shape = shape_of(form.layout) or Shape(layout="stripe", vdevs=1)
    vdevs = [
        {"role": "data", "layout": shape.layout, "disks": list(disks)}
        for disks in shape.deal(form.of("data"))
    ]
    for role in ROLES[1:]:
        if disks := form.of(role):
            mirrored = role in MIRRORED and len(disks) > 1
            vdevs.append({"role": role, "layout": "mirror" if mirrored else "stripe", "disks": list(disks)})
    root = {field: getattr(form, field) for field in _ROOT_FIELDS if getattr(form, field)}
    request: dict[str, Any] = {"name": form.name, "vdevs": [vdev for vdev in vdevs if vdev["disks"]]}
    if form.ashift:
        request["ashift"] = int(form.ashift) if form.ashift.isdecimal() else form.ashift
    if form.autotrim:
        request["properties"] = {"autotrim": form.autotrim}
    if root:
        request["root_properties"] = root
    if form.mountpoint:
        request["mountpoint"] = form.mountpoint
    return request
