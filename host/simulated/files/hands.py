"""What people do to the files of a simulated machine."""

from __future__ import annotations

from collections.abc import Iterator

from host.files.names import shown
from host.simulated.datasets.file_tree import new_file, put, remove
from host.simulated.datasets.lifecycle import find
from host.simulated.state import FileState, Machine

_LETTER = b"Dear neighbour,\n\nthe key is where it always was.\n\nAda\n"
_BUDGET = b"month,rent,food\nJanuary,900,310\nFebruary,900,295\n"


def write(machine: Machine, dataset: str, path: bytes, data: bytes | int, modified_ns: int | None) -> None:
    """Write a file, with its folders where they are missing; `data` a number: only so many bytes."""
    pool, found = find(machine, dataset)
    moment = machine.now_ns() if modified_ns is None else modified_ns
    put(machine, pool, found, new_file(path, data, modified_ns=moment))


def link(machine: Machine, dataset: str, path: bytes, leads_to: bytes) -> None:
    """Make a symbolic link."""
    pool, found = find(machine, dataset)
    moment = machine.now_ns()
    state = FileState(
        path=shown(path), kind="link", mode=0o777, leads_to=shown(leads_to), modified_ns=moment, uid=1000
    )
    put(machine, pool, found, state)


def delete(machine: Machine, dataset: str, path: bytes) -> None:
    """Delete a file, or a folder with all in it."""
    pool, found = find(machine, dataset)
    remove(pool, found, shown(path))


def furnish(machine: Machine, dataset: str) -> None:
    """Let a dataset hold what a family has."""
    for path, data in _household():
        write(machine, dataset, path, data, None)
    link(machine, dataset, b"Photos/newest", b"2026")


def _household() -> Iterator[tuple[bytes, bytes | int]]:
    yield b"Letters/neighbour.txt", _LETTER
    yield b"Letters/b\xe4ckerei.txt", b"Two loaves, please.\n"  # written on an older system: no UTF-8
    yield "Letters/Grüße 100%.txt".encode(), "Viele Grüße\n".encode()
    yield b"Money/budget.csv", _BUDGET
    yield b"read me first.md", b"# What is here\n\nPhotos by year, letters, money.\n"
    for year in (2024, 2025, 2026):
        for number in range(1, 13):
            yield (
                f"Photos/{year}/IMG_{year}{number:04}.jpg".encode(),
                2_400_000 + 731 * number * year % 900_000,
            )
    yield b"Videos/wedding.mkv", 3_700_000_000
