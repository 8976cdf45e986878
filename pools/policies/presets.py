"""Policies to start from, with what they are for."""

from __future__ import annotations

import msgspec


class Preset(msgspec.Struct, frozen=True, kw_only=True):
    """A policy for a kind of data."""

    name: str
    title: str
    words: str
    policy: str


PRESETS = (
    Preset(
        name="home", title="Documents and homes", policy="hourly=24 daily=30 weekly=8 monthly=12",
        words="What people work on: an hour ago, yesterday, last month, last year.",
    ),
    Preset(
        name="media", title="Films, music, photos", policy="daily=7 weekly=4",
        words="Large files that are added and seldom changed: enough to undo a deletion, little space held.",
    ),
    Preset(
        name="machines", title="Virtual machines and databases",
        policy="frequent=8 hourly=24 daily=14 weekly=4",
        words="Changes all the time: back by a quarter of an hour after a failed upgrade.",
    ),
    Preset(
        name="backups", title="Backups of other machines", policy="daily=14 weekly=8 monthly=12 yearly=2",
        words="Written once a day: a long way back, and safe from what befalls the machine that sends.",
    ),
)  # fmt: skip
