"""The pool builder's form, to and from requests."""

from __future__ import annotations

from django.http import QueryDict

from frontend.pools.form import PoolForm, from_post, from_request, to_request


def test_disks_come_in_the_order_of_their_bays() -> None:
    post = QueryDict("name=tank&layout=raidz1:1&data=c&data=a&data=b&spare=d")
    form = from_post(post, order=["a", "b", "c", "d"])
    assert form.picks == {"data": ("a", "b", "c"), "spare": ("d",)}


def test_a_repeated_disk_counts_once_and_an_unknown_one_comes_last() -> None:
    form = from_post(QueryDict("data=zz&data=b&data=b&data=a"), order=["a", "b"])
    assert form.of("data") == ("a", "b", "zz")


def test_defaults_are_left_out_of_the_request() -> None:
    form = PoolForm(name="tank", layout="raidz2:1", picks={"data": ("a", "b", "c", "d")})
    assert to_request(form, {}) == {
        "name": "tank",
        "vdevs": [{"role": "data", "layout": "raidz2", "disks": ["a", "b", "c", "d"]}],
    }


def test_two_log_disks_are_mirrored_and_two_spares_are_not() -> None:
    picks = {"data": ("a", "b"), "log": ("c", "d"), "spare": ("e", "f"), "special": ("g",)}
    vdevs = to_request(PoolForm(name="tank", layout="mirror:1", picks=picks), {})["vdevs"]
    assert [(vdev["role"], vdev["layout"], len(vdev["disks"])) for vdev in vdevs] == [
        ("data", "mirror", 2), ("spare", "stripe", 2), ("log", "mirror", 2), ("special", "stripe", 1),
    ]  # fmt: skip


def test_four_disks_for_metadata_become_two_mirrors_and_the_spare_of_the_layout_joins_the_picked_one() -> (
    None
):
    picks = {"data": ("a", "b", "c", "d", "e"), "special": ("f", "g", "h", "i"), "spare": ("j",)}
    vdevs = to_request(PoolForm(name="tank", layout="mirror:2+1", picks=picks), {})["vdevs"]
    assert [(vdev["role"], vdev["disks"]) for vdev in vdevs] == [
        ("data", ["a", "b"]), ("data", ["c", "d"]), ("spare", ["j", "e"]),
        ("special", ["f", "g"]), ("special", ["h", "i"]),
    ]  # fmt: skip


def test_disks_of_one_size_come_together_and_the_largest_stand_by() -> None:
    sizes = {"a": 4 * 10**12, "b": 8 * 10**12, "c": 4 * 10**12, "d": 8 * 10**12, "e": 16 * 10**12}
    form = PoolForm(name="tank", layout="mirror:2+1", picks={"data": ("a", "b", "c", "d", "e")})
    assert [vdev["disks"] for vdev in to_request(form, sizes)["vdevs"]] == [["a", "c"], ["b", "d"], ["e"]]


def test_a_form_comes_back_from_its_request_as_it_was_typed() -> None:
    form = PoolForm(
        name="tank", layout="mirror:2", ashift="13", mountpoint="/mnt/x", compression="zstd", atime="on",
        autotrim="off", picks={"data": ("a", "b", "c", "d"), "cache": ("e",)},
    )  # fmt: skip
    assert from_request(to_request(form, {})) == form


def test_a_request_of_any_shape_can_be_shown() -> None:
    form = from_request({"name": None, "vdevs": ["x", {"disks": [1, "a"], "role": "nonsense"}], "ashift": []})
    assert form.name == ""
    assert form.picks == {}


def test_an_ashift_that_is_no_number_is_left_to_the_plan() -> None:
    assert to_request(PoolForm(name="t", ashift="x"), {})["ashift"] == "x"
    assert PoolForm(ashift="x").ashift_number is None
    assert PoolForm(ashift="9").ashift_number == 9
    assert PoolForm(ashift="9" * 5000).ashift_number is None
