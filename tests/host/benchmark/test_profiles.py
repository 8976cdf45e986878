"""What each profile asks of fio."""

from __future__ import annotations

from typing import get_args

import pytest

from host.benchmark.profiles import LASTS_S, parts, read_disk, written_bytes
from host.benchmark.values import Profile

MIB, GIB = 1 << 20, 1 << 30


def option(options: tuple[str, ...], name: str) -> str | None:
    return next((one.partition("=")[2] for one in options if one.startswith(f"--{name}=")), None)


@pytest.mark.parametrize("profile", get_args(Profile))
def test_no_profile_keeps_more_than_its_size_or_lasts_for_ever(profile: Profile) -> None:
    for part in parts(profile, 64 * MIB, 16):
        argv = part.argv("/somewhere")
        assert argv[:3] == ("fio", f"--name={part.name}", "--directory=/somewhere")
        assert "--refill_buffers" in argv and not any("direct" in word for word in argv if word != argv[2])
        assert part.bytes is not None or part.seconds is not None
        size, jobs = option(argv, "size"), int(option(argv, "numjobs") or 1)
        if size is not None:
            assert int(size.removesuffix("M")) * MIB * jobs <= 64 * MIB
        if part.seconds is not None:
            assert option(argv, "runtime") == str(part.seconds)
    assert written_bytes(profile, 64 * MIB) <= 64 * MIB


def test_streams_are_as_many_as_there_are_clients() -> None:
    write, read = parts("streams", 8 * GIB, 3)
    assert option(write.options, "numjobs") == option(read.options, "numjobs") == "3"
    assert option(write.options, "size") == f"{8 * 1024 // 3}M"
    assert (write.shown, read.shown) == (True, True)


def test_small_files_are_bounded_in_number() -> None:
    create, read = parts("small-files", 1 << 40, 1)
    assert option(create.options, "nrfiles") == option(read.options, "nrfiles") == "50000"
    assert create.bytes == 50_000 * 16384 == written_bytes("small-files", 1 << 40)


def test_files_that_are_only_made_are_not_shown() -> None:
    files, mixed = parts("mixed", GIB, 1)
    assert (files.shown, mixed.shown, mixed.seconds) == (False, True, LASTS_S)


def test_a_disk_is_only_read() -> None:
    argv = read_disk("/dev/sda1", 5 * MIB, 3)
    assert "--readonly" in argv and "--rw=read" in argv and "--direct=1" in argv
    assert option(argv, "filename") == "/dev/sda1" and option(argv, "offset") == str(5 * MIB)
