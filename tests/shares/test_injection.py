"""Whatever somebody types into a share is refused, or the rendered file says just that and nothing more."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from host.contents.clients import client_fault
from host.contents.places import place_fault
from host.contents.smb_names import comment_fault, interface_fault, netbios_fault, share_name_fault
from host.contents.smb_parameters import ALLOWED, extra_fault
from host.inventory import Inventory, NfsClient, NfsShare, Sharing, SmbShare
from host.simulated.sharing import exports, samba
from shares import discovery
from shares.nfs import render as nfs
from shares.sealing import is_ours
from shares.smb import render as smb
from tests import made
from tests.fuzzing import tries

CASES = tries(150)
# What means something to Samba, exportfs, a shell or XML, beside any other character.
_ONE = "%[]\"'`$\\/=;#&<>|,():*?!@+-. \n\r\t\0"
_SPICE = st.sampled_from([*_ONE, "include =", "%U", "-->", "\\\n", "[x]"])
TEXT = st.lists(_SPICE | st.text(max_size=3), max_size=12).map("".join)
NASTY = [
    "a\ninclude = /etc/shadow", "a\r\n[x]", "%U", "[global]", "a]", 'a"b', "a\\", "a\x00b", "x" * 1000, " a",
    "a ",
    "root preexec = reboot", "a;b", "#a", "a  b", "a\u2028b", "a\x85b", "..", "$(reboot)", "`reboot`", "a'b",
]  # fmt: skip


def machine(place: str) -> Inventory:
    found = msgspec.structs.replace(made.dataset("tank/files", mountpoint=place, mounted="yes"), guid="7")
    return made.inventory(datasets=(found,))


def share(**more: object) -> SmbShare:
    values: dict[str, object] = {"id": 1, "name": "Files", "guid": "7", "dataset": "tank/files"}
    return SmbShare(**(values | {"write": ("anna",)} | more))  # type: ignore[arg-type]


PLAIN = samba.sections(smb.render(Sharing(smb=(share(),)), machine("/mnt/files")))


def rendered(one: SmbShare, place: str = "/mnt/files") -> dict[str, dict[str, str]]:
    text = smb.render(Sharing(smb=(one,)), machine(place))
    assert is_ours(text)
    return samba.sections(text)


@CASES
@given(TEXT)
def test_a_name_is_refused_or_is_the_one_section_more(name: str) -> None:
    if share_name_fault(name) is None:
        assert rendered(share(name=name)) == {"global": PLAIN["global"], name: PLAIN["Files"]}


@CASES
@given(TEXT)
def test_a_comment_is_refused_or_is_just_the_comment(comment: str) -> None:
    if comment and comment_fault(comment) is None:
        assert rendered(share(comment=comment)) == PLAIN | {"Files": PLAIN["Files"] | {"comment": comment}}


@CASES
@given(TEXT.map(lambda text: f"/mnt/{text}"))
@example("/mnt/=\x850")
def test_a_folder_is_refused_or_read_back_by_samba_and_by_nfs(place: str) -> None:
    if place_fault(place) is not None:
        return
    check = f"/usr/bin/mountpoint -q '{place}'"
    lines = {"path": place, "root preexec": check, "shadow:mountpoint": place}
    assert rendered(share(), place)["Files"] == PLAIN["Files"] | lines
    export = NfsShare(id=1, guid="7", dataset="tank/files", clients=(NfsClient(host="10.0.0.0/8"),))
    (line,) = nfs.render(Sharing(nfs=(export,)), machine(place)).splitlines()[1:]
    assert exports._read(line) == (
        place, [("10.0.0.0/8", "rw,sync,no_subtree_check,mountpoint,root_squash,sec=sys")],
    )  # fmt: skip


@pytest.mark.parametrize(
    "place", ["/mnt/a/../b", "/mnt/./a", "/mnt//a", "/mnt/a/", "/", "mnt", "none", "legacy"]
)
def test_a_folder_has_one_way_to_be_written(place: str) -> None:
    assert place_fault(place)


@CASES
@given(TEXT)
def test_a_client_is_refused_or_has_no_room_for_an_option(host: str) -> None:
    if client_fault(host) is None:
        assert not set(host) & set(" \t\n\r()\"'\\#,=%[]@$")
        assert len(host) < 255


@pytest.mark.parametrize("text", NASTY)
def test_nothing_nasty_is_a_name_a_client_or_a_machine(text: str) -> None:
    assert share_name_fault(text)
    assert client_fault(text)
    assert netbios_fault(text)
    assert interface_fault(text)


@CASES
@given(st.sampled_from(sorted(ALLOWED)), TEXT)
def test_a_parameter_is_refused_or_is_one_line(name: str, value: str) -> None:
    if extra_fault(name, value) is None:
        assert rendered(share(extra={name: value}))["Files"][name] == value


@pytest.mark.parametrize(
    "name",
    ["include", "root preexec", "root postexec", "preexec", "path", "copy", "force user", "admin users",
     "wide links", "magic script", "dfree command", "message command", "Create Mask", "createmask",
     "vfs objects", "config file", "panic action", "write list"],
)  # fmt: skip
def test_what_starts_programs_or_changes_who_somebody_is_cannot_be_added(name: str) -> None:
    assert extra_fault(name, "yes")


@CASES
@given(TEXT)
def test_the_networks_announcement_has_no_element_more(name: str) -> None:
    if share_name_fault(name) is None:
        one = share(name=name, purpose="time-machine")
        text = discovery.render(Sharing(smb=(one,)), machine("/mnt/files"))
        plain = discovery.render(Sharing(smb=(share(purpose="time-machine"),)), machine("/mnt/files"))
        assert text.count("<") == plain.count("<")
        assert text.count("<!--") == text.count("-->") == 1


def test_the_same_rows_make_the_same_file_and_a_changed_letter_is_found() -> None:
    text = smb.render(Sharing(smb=(share(),)), machine("/mnt/files"))
    assert text == smb.render(Sharing(smb=(share(),)), machine("/mnt/files"))
    assert is_ours(text)
    assert not is_ours(text.replace("anna", "bert"))
    assert not is_ours(text + "\n")
    assert not is_ours("")
