"""`manage.py configuration`."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from rest_framework.test import APIClient

from host.backup.folders import READY
from host.simulated import SimulatedHost
from machine.backup.models import CopySettingsRow
from machine.backup.places import folders
from tests.machine.backup.bench import names, pool


def said(*words: str) -> str:
    out = io.StringIO()
    call_command("configuration", *words, stdout=out)
    return out.getvalue()


@pytest.fixture
def kept(api: APIClient, simulated: SimulatedHost) -> str:
    """The name of a copy on tank."""
    pool(api)
    assert "has succeeded" in said("keep")
    return names(simulated)[0]


def test_copies_are_listed(api: APIClient, simulated: SimulatedHost) -> None:
    pool(api)
    assert said("list") == "tank\tno copies\n"
    said("keep")
    (line,) = said("list").splitlines()
    assert line.startswith(f"tank\t{names(simulated)[0]}\t")
    assert line.endswith("Nasweb 0.1.0, without passwords")


def test_a_restore_is_shown_before_it_is_done(kept: str) -> None:
    shown = said("restore", "tank")
    assert "1. Read the whole backup of" in shown
    assert "Nothing was done. Add --yes to do it." in shown
    assert not (folders().restored / READY).exists()
    assert "The console restarts with these settings." in said("restore", "tank", "--copy", kept, "--yes")
    assert (folders().restored / READY).exists()


def test_of_the_copies_of_several_installations_one_has_to_be_named(kept: str) -> None:
    CopySettingsRow.objects.update(origin="b" * 16)
    said("keep")
    wanted = r"say which one, by its name\.\nAdd --copy with a name that “nasweb configuration list” shows\."
    with pytest.raises(CommandError, match=wanted):
        said("restore", "tank")
    assert "Nothing was done. Add --yes to do it." in said("restore", "tank", "--copy", kept)


def test_a_copy_from_standard_input_is_restored(
    kept: str, simulated: SimulatedHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path,) = (Path(simulated.machine().folder) / "copies").rglob("*.nasweb")
    read: Any = io.TextIOWrapper(io.BytesIO(path.read_bytes()))
    monkeypatch.setattr(sys, "stdin", read)
    said("restore", "-", "--yes")
    assert (folders().restored / READY).exists()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"hello")))
    with pytest.raises(CommandError, match=r"damaged|cannot be read"):
        said("restore", "-", "--yes")


def test_what_is_not_there_is_refused_in_words(api: APIClient, simulated: SimulatedHost) -> None:
    with pytest.raises(CommandError, match="No pool can take a backup"):
        said("keep")
    with pytest.raises(CommandError, match="There are no copies on this pool"):
        said("restore", "tank")
    assert said("put-in-place") == ""
