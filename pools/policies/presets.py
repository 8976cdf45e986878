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
        words="What people work on: back to an hour ago, yesterday, last month, last year.",
    ),
    Preset(
        name="media", title="Films, music, photos", policy="daily=7 weekly=4",
        words="Large files, added and rarely changed: enough to undo a deletion, without holding much space.",
    ),
    Preset(
        name="machines", title="Virtual machines and databases",
        policy="frequent=8 hourly=24 daily=14 weekly=4",
        words="Changes all the time: back to 15 minutes ago after a failed upgrade.",
    ),
    Preset(
        name="backups", title="Backups of other machines", policy="daily=14 weekly=8 monthly=12 yearly=2",
        words="Written once a day: goes far back, and is safe from what happens to the sender.",
    ),
)  # fmt: skip
