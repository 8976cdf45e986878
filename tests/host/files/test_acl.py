"""Access control lists as values, as text and as the kernel keeps them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.files import acl
from host.files.acl import Acl, BadAcl, Named

BITS = st.integers(0, 7)
NUMBERS = st.integers(0, 0xFFFFFFFE)


@st.composite
def lists(draw: st.DrawFn) -> Acl:
    users = draw(st.dictionaries(NUMBERS, BITS, max_size=5))
    groups = draw(st.dictionaries(NUMBERS, BITS, max_size=5))
    mask = draw(BITS) if users or groups else draw(st.none() | BITS)
    return Acl(
        owner=draw(BITS),
        group=draw(BITS),
        other=draw(BITS),
        users=tuple(Named(*one) for one in sorted(users.items())),
        groups=tuple(Named(*one) for one in sorted(groups.items())),
        mask=mask,
    )


@given(lists())
def test_text_and_attribute_read_back_to_the_same_list(one: Acl) -> None:
    assert acl.parse(acl.text(one)) == one
    assert acl.decoded(acl.encoded(one)) == one


def test_the_text_is_that_of_setfacl() -> None:
    one = Acl(owner=7, group=5, other=0, users=(Named(30000, 7),), groups=(Named(35001, 5),), mask=7)
    assert acl.text(one) == "user::rwx,user:30000:rwx,group::r-x,group:35001:r-x,mask::rwx,other::---"
    assert acl.text(acl.of_mode(0o2754)) == "user::rwx,group::r-x,other::r--"


def test_the_attribute_is_that_of_the_kernel() -> None:
    # What `setfacl -m u:30000:rw` on a file of mode 0640 leaves, as `getfattr -e hex` shows it.
    known = bytes.fromhex(
        "0200000001000600ffffffff020006003075000004000400ffffffff10000600ffffffff20000000ffffffff"
    )
    one = Acl(owner=6, users=(Named(30000, 6),), group=4, mask=6, other=0)
    assert acl.encoded(one) == known
    assert acl.decoded(known) == one


@pytest.mark.parametrize(
    "text",
    [
        "", "user::rwx", "user::rwx,group::r-x", "user::rwx,group::r-x,other::rwxx", "user:ada:rwx",
        "user::rwx,user::r-x,group::r-x,other::---", "user::rwx,user:1:r-x,group::r-x,other::---",
        "user::rwx,group::r-x,mask:3:rwx,other::---", "user::rwx,group::r-x,other::---,",
        "user::rwx,user:1:r-x,user:1:rwx,group::r-x,mask::rwx,other::---",
        "user::rwx,user:4294967295:r-x,group::r-x,mask::rwx,other::---",
    ],
)  # fmt: skip
def test_what_the_kernel_would_not_take_is_no_list(text: str) -> None:
    with pytest.raises(BadAcl):
        acl.parse(text)


@pytest.mark.parametrize("data", [b"", b"\1\0\0\0", b"\2\0\0\0", b"\2\0\0\0abc", b"\2\0\0\0" + b"\x40\0" * 4])
def test_another_format_is_not_guessed_at(data: bytes) -> None:
    with pytest.raises(BadAcl):
        acl.decoded(data)


def test_the_list_of_a_plain_file_lets_nobody_execute() -> None:
    one = acl.parse("user::rwx,user:1:rwx,group::r-x,mask::rwx,other::--x").of_files
    assert acl.text(one) == "user::rw-,user:1:rw-,group::r--,mask::rw-,other::---"
