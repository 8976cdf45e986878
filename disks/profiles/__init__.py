"""Cases that are known: one small file each, in this folder. To add one, copy a neighbour."""

from __future__ import annotations

import tomllib
from pathlib import Path

from disks.layout import Layout
from host import typed


def _read(file: Path) -> Layout:
    return typed.convert(tomllib.loads(file.read_text()), Layout)


# By the file's name, such as home-tower-6.
PROFILES: dict[str, Layout] = {
    file.stem: _read(file) for file in sorted(Path(__file__).parent.glob("*.toml"))
}
