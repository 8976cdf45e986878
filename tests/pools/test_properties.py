"""Which properties can be set: ZFS's own table, presets, many datasets at once, and received values."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from host.inventory import NativeProperty, Property
from jobs.plan import Refused
from jobs.planning.findings import Findings
from pools.datasets.create_dataset import CreateDataset
from pools.datasets.create_dataset import plan as plan_create
from pools.datasets.meanings import meaning
from pools.datasets.presets import PRESETS
from pools.datasets.set_properties import BulkSetProperties, SetProperties, plan, plan_bulk
from pools.properties import check_properties, only_at_creation
from pools.property_values import rule_of, words_of
from tests import made

VALUES = {entry.name: entry.values for entry in made.TABLE}


def check(name: str, value: str | None, table: tuple[NativeProperty, ...] = made.TABLE) -> list[str]:
    findings = Findings()
    check_properties({name: value}, "p", findings, kind="filesystem", table=table, existing=True)
    return [finding.code for finding in findings.all()]


def test_the_words_of_zfs_are_spelled_out() -> None:
    assert words_of(VALUES["atime"]) == ("on", "off")
    assert {"gzip-1", "gzip-9", "zstd-19", "zstd-fast-500", "lz4"} <= set(words_of(VALUES["compression"]))
    assert {"zstd-20", "gzip-0", "zstd-fast-11"} & set(words_of(VALUES["compression"])) == set()
    assert {"sha256", "sha256,verify", "edonr,verify"} <= set(words_of(VALUES["dedup"]))
    assert words_of("<size> | none") == () == words_of("on | off | NFS share options")


@pytest.mark.parametrize(
    ("values", "good", "bad"),
    [
        ("<size> | none", ("none", "1.5G", "0", "10GiB"), ("", "-1", "many", "1e5", "1 G", "9" * 40)),
        ("<count> | none", ("none", "7"), ("", "1.5", "-1", "none ", "²")),
        ("512 to 1M, power of 2", ("512", "128K", "1M"), ("100K", "256", "2M", "", "0", "K")),
        ("zero or 512 to 1M, power of 2", ("0", "4k"), ("1", "3K")),
        ("<selinux context>", ("anything", ""), ()),
    ],
)
def test_values_are_held_to_the_words(values: str, good: tuple[str, ...], bad: tuple[str, ...]) -> None:
    rule = rule_of(values)
    assert {value: rule(value) for value in good} == dict.fromkeys(good)
    assert all(rule(value) for value in bad)


def test_a_property_of_a_later_zfs_can_be_set_without_a_new_console() -> None:
    later = NativeProperty(name="shiny", editable=True, inheritable=True, values="dull | bright")
    table = (*made.TABLE, later)
    assert check("shiny", "bright", table) == []
    assert check("shiny", "red", table) == ["bad-value"]
    assert check("shiny", "bright") == ["unknown-property"]


@pytest.mark.parametrize("table", [made.TABLE, ()])
@pytest.mark.parametrize(("name", "value"), [("nasweb:policy", "daily=1"), ("nasweb:auto", None)])
def test_what_is_the_consoles_own_is_set_by_its_own_operations(
    name: str, value: str | None, table: tuple[NativeProperty, ...]
) -> None:
    """A policy that keeps less has snapshots deleted, which its own plan names and needs a right for."""
    assert check(name, value, table) == ["wrong-place"]
    assert check("mine:policy", value, table) == []


def test_what_the_table_says_of_reading_and_creating_holds() -> None:
    assert check("used", "1") == ["unknown-property"]
    assert check("casesensitivity", "mixed") == ["creation-only"]
    assert check("recordsize", "16M") == []
    assert check("recordsize", "32M") == ["bad-value"]
    assert check("acltype", "posixacl") == []
    assert check("sharenfs", "on") == ["wrong-place"]
    assert check("sharenfs", None) == check("sharenfs", "off") == []
    assert check("keylocation", "file:///root/key") == ["wrong-place"]
    assert {e.name for e in made.TABLE if only_at_creation(e)} >= {"casesensitivity", "volblocksize"}


def test_without_a_table_zfs_decides() -> None:
    assert check("recordsize", "3", ()) == []
    assert check("no such", "3", ()) == ["unknown-property"]
    assert check("atime", "a\x00b", ()) == ["bad-value"]


def test_every_property_of_this_zfs_has_a_sentence() -> None:
    assert [entry.name for entry in made.TABLE if not meaning(entry.name).words] == []


TREE = (
    made.dataset("tank", compression="lz4", atime="off"),
    made.dataset("tank/a", compression=made.inherited("lz4", "tank")),
    made.dataset("tank/a/b", compression=made.inherited("lz4", "tank")),
    made.dataset("tank/c", compression=Property(value="gzip", source="local", received="zstd")),
    made.dataset("tank/vol", kind="volume", volsize=str(8 << 30)),
)
MACHINE = made.inventory(pools=(made.pool(),), datasets=TREE)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
@pytest.mark.parametrize("kind", ["filesystem", "volume"])
def test_a_preset_can_be_made_and_says_why(preset: Any, kind: Any) -> None:
    size: dict[str, Any] = {"volume_bytes": 1 << 30} if kind == "volume" else {}
    request = CreateDataset(name="tank/new", kind=kind, preset=preset.name, **size)
    if not preset.of_kind(kind):
        with pytest.raises(Refused) as refused:
            plan_create(request, MACHINE)
        assert [finding.code for finding in refused.value.findings] == ["no-such-preset"]
        return
    made_so = plan_create(request, MACHINE)
    codes = [finding.code for finding in made_so.findings if finding.level == "info"]
    assert codes == ["preset"] * len(preset.of_kind(kind))
    findings = Findings()
    values = {choice.property: choice.value for choice in preset.of_kind(kind)}
    check_properties(values, "p", findings, kind=kind, table=made.TABLE)
    assert findings.all() == ()
    assert all(choice.why.endswith(".") for choice in preset.of_kind(kind))


def test_what_is_chosen_by_hand_wins_over_a_preset_and_what_is_inherited_is_not_set_again() -> None:
    request = CreateDataset(name="tank/new", preset="media", properties={"recordsize": "4M"})
    argv = plan_create(request, MACHINE).steps[0].commands[0].argv()
    assert argv == (
        "zfs", "create", "-o", "acltype=posixacl", "-o", "recordsize=4M", "-o", "xattr=sa", "tank/new",
    )  # fmt: skip


def test_time_machine_is_warned_of_without_a_quota() -> None:
    bare = plan_create(CreateDataset(name="tank/tm", preset="time-machine"), MACHINE)
    assert [f.field for f in bare.findings if f.level == "warning"] == ["properties.quota"]
    bound = CreateDataset(name="tank/tm", preset="time-machine", properties={"quota": "1T"})
    assert not [f for f in plan_create(bound, MACHINE).findings if f.level == "warning"]


def test_many_datasets_are_changed_by_one_plan() -> None:
    request = BulkSetProperties(names=("tank/a", "tank/c"), properties={"compression": "zstd"})
    bulk = plan_bulk(request, MACHINE)
    assert [step.commands[0].argv() for step in bulk.steps] == [
        ("zfs", "set", "compression=zstd", "tank/a"),
        ("zfs", "set", "compression=zstd", "tank/c"),
    ]
    assert bulk.claims == ("dataset:tank/a", "dataset:tank/c")
    assert [f.message for f in bulk.findings if f.code == "child-changes"] == ["tank/a/b: lz4 → zstd"]


def test_a_change_of_many_tells_of_each_dataset_once() -> None:
    request = BulkSetProperties(names=("tank", "tank/a"), properties={"compression": "zstd"})
    messages = [f.message for f in plan_bulk(request, MACHINE).findings]
    assert sorted(m for m in messages if "tank/a" in m) == ["tank/a/b: lz4 → zstd", "tank/a: lz4 → zstd"]


def test_a_change_of_many_is_refused_as_a_whole_with_all_reasons() -> None:
    with pytest.raises(Refused) as refused:
        plan_bulk(
            BulkSetProperties(names=("tank/x", "tank/a", "tank/a"), properties={"atime": "on"}), MACHINE
        )
    assert {(f.code, f.field) for f in refused.value.findings} == {
        ("unknown-dataset", "names[0]"), ("duplicate-dataset", "names[2]"),
    }  # fmt: skip
    with pytest.raises(Refused) as refused:
        plan_bulk(BulkSetProperties(names=("tank/a", "tank/vol"), properties={"atime": "on"}), MACHINE)
    assert {(f.code, f.field) for f in refused.value.findings} == {("unknown-property", "properties.atime")}


def test_a_received_value_can_be_returned_to() -> None:
    back = plan(SetProperties(name="tank/c", received=("compression",)), MACHINE)
    assert [c.argv() for c in back.steps[0].commands] == [("zfs", "inherit", "-S", "compression", "tank/c")]
    assert [f.message for f in back.findings if f.code == "changes"] == ["tank/c: gzip → zstd"]
    for request, fault in (
        (SetProperties(name="tank/a", received=("compression",)), ("nothing-received", "received[0]")),
        (
            SetProperties(name="tank/c", received=("compression",), properties={"compression": "lz4"}),
            ("asked-twice", "received[0]"),
        ),
        (SetProperties(name="tank/c"), ("required", "properties")),
    ):
        with pytest.raises(Refused) as refused:
            plan(request, MACHINE)
        assert {(f.code, f.field) for f in refused.value.findings} == {fault}


def test_a_volume_that_becomes_smaller_loses_what_lies_behind_its_end() -> None:
    smaller = plan(SetProperties(name="tank/vol", properties={"volsize": "6G"}), MACHINE)
    assert [(loss.dataset, loss.size_bytes) for loss in smaller.destroys] == [("tank/vol", 2 << 30)]
    assert plan(SetProperties(name="tank/vol", properties={"volsize": "9G"}), MACHINE).destroys == ()


def test_an_old_inventory_without_a_table_can_still_be_read() -> None:
    facts = msgspec.to_builtins(MACHINE.facts)
    del facts["native"]
    assert msgspec.convert(facts, type(MACHINE.facts)).native == ()
