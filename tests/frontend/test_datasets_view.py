"""Datasets and the forms that change them."""

from __future__ import annotations

import pytest

from frontend.dataset_view import changes, dataset_rows, readable, settings
from frontend.pages.dataset_form import DatasetForm, from_request, to_request
from host.inventory import Property
from tests import made

SETTINGS = settings(
    made.dataset(
        "tank/media",
        compression=made.inherited("lz4", "tank"),
        quota="500000000000",
        recordsize=Property(value="131072", source="default"),
        mountpoint=made.inherited("/mnt/tank/media", "tank"),
    )
)


def test_a_setting_says_its_value_and_where_it_comes_from() -> None:
    found = {setting.name: setting for setting in SETTINGS}
    assert (found["compression"].value, found["compression"].whence) == ("lz4", "inherited from tank")
    assert (found["recordsize"].value, found["recordsize"].whence) == ("128K", "default")
    assert (found["quota"].chosen, found["quota"].whence) == ("500000000000", "set here")


def test_only_what_was_changed_is_asked_for() -> None:
    sent = {"compression": "zstd", "quota": "500000000000", "recordsize": "", "csrfmiddlewaretoken": "x"}
    assert changes(SETTINGS, sent) == {"compression": "zstd"}


def test_an_emptied_field_inherits_again_and_an_emptied_quota_is_lifted() -> None:
    assert changes(SETTINGS, {"quota": ""}) == {"quota": "none"}
    local = settings(made.dataset("tank/media", compression="zstd"))
    assert changes(local, {"compression": ""}) == {"compression": None}


def test_a_volume_has_no_settings_of_file_systems() -> None:
    volume = made.dataset("tank/disk", kind="volume", compression="lz4", quota="0", recordsize="131072")
    assert [setting.name for setting in settings(volume)] == ["compression"]


def test_sizes_read_as_they_are_typed() -> None:
    assert readable("quota", str(500 << 30)) == "500G"
    assert readable("quota", "0") == "none"
    assert readable("recordsize", "131072") == "128K"
    assert readable("compression", "4096") == "4096"


def test_children_stand_below_their_parents() -> None:
    names = ("tank", "tank/a-b", "tank/a", "tank/a/x")
    rows = dataset_rows(made.inventory(datasets=tuple(made.dataset(name) for name in names)))
    assert [(row.name, row.depth) for row in rows] == [
        ("tank", 0), ("tank/a", 1), ("tank/a/x", 2), ("tank/a-b", 1),
    ]  # fmt: skip


def test_a_volume_is_asked_for_in_bytes() -> None:
    form = DatasetForm(parent="tank", leaf="vm", kind="volume", size="1,5", unit="G", quota="5G")
    assert to_request(form) == {
        "name": "tank/vm", "kind": "volume", "properties": {}, "volume_bytes": 3 << 29, "sparse": False,
    }  # fmt: skip


def test_a_size_that_is_no_number_is_left_to_the_plan() -> None:
    for size in ("", "big", "inf", "nan", "1e400"):
        assert to_request(DatasetForm(parent="t", leaf="v", kind="volume", size=size))["volume_bytes"] is None


@pytest.mark.parametrize(("size", "unit"), [("3", "G"), ("1536", "M"), ("7", "T")])
def test_the_form_comes_back_from_its_request_as_it_was_typed(size: str, unit: str) -> None:
    form = DatasetForm(
        parent="tank/a", leaf="vm", kind="volume", size=size, unit=unit, compression="zstd", sparse=True
    )
    assert from_request(to_request(form)) == form


def test_a_fraction_comes_back_in_a_smaller_unit() -> None:
    form = from_request({"name": "tank/vm", "kind": "volume", "volume_bytes": 3 << 29})
    assert (form.size, form.unit) == ("1536", "M")
    assert (
        to_request(from_request({"name": "t/v", "kind": "volume", "volume_bytes": 1000}))["volume_bytes"]
        == 1000
    )
