"""Uploads and new folders through the API: piece by piece, as the NAS user of the caller's name."""

from __future__ import annotations

import base64
from datetime import timedelta
from hashlib import sha256
from typing import Any

import msgspec
import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import User
from accounts.roles import SCOPES, Role
from host.commands.datasets.zfs import ZfsCreate, ZfsSet, ZfsUnmount
from host.commands.shares.accounts import AddPerson
from host.commands.shares.rights import SetFolderRights
from host.commands.uploads import ReceiveFiles
from host.inventory import Sharing, SmbShare
from host.inventory.people import EVERYBODY_GID, FIRST_PERSON
from host.simulated import SimulatedHost
from jobs import cache
from jobs.models import AuditEvent
from pools.files.forgetting import forget_uploads
from pools.models import Upload
from tests.conftest import caller, refresh

HOME = "tank/home"
OPEN = "user::rwx,group::rwx,mask::rwx,other::---"


@pytest.fixture
def home(simulated: SimulatedHost, tank: dict[str, Any]) -> SimulatedHost:
    """A dataset whose files all NAS users may write, and a NAS user called admin."""
    simulated.run(ZfsCreate(name=HOME))
    simulated.run(AddPerson(name="admin", uid=FIRST_PERSON, full_name="Admin"))
    simulated.run(SetFolderRights(dataset=HOME, path="", owner=0, group=EVERYBODY_GID, acl=OPEN))
    refresh()
    return simulated


def begin(api: APIClient, **wish: Any) -> Any:
    return api.post("/api/v1/uploads/", {"dataset": HOME, "name": "a.txt", "size_bytes": 10, **wish})


def begun(api: APIClient, **wish: Any) -> str:
    answer = begin(api, **wish)
    assert answer.status_code == 201, answer.json()
    return str(answer.headers["Location"])


def put(api: APIClient, address: str, offset: int, data: bytes, digest: str | None = None) -> Any:
    good = f"sha-256=:{base64.b64encode(sha256(data).digest()).decode()}:"
    return api.put(
        f"{address}?offset={offset}",
        data,
        content_type="application/octet-stream",
        headers={"Content-Digest": digest or good},
    )


def codes(answer: Any, status: int = 422) -> list[str]:
    assert answer.status_code == status, answer.json()
    return [finding["code"] for finding in answer.json()["findings"]]


def files(home: SimulatedHost) -> dict[str, tuple[bytes | None, int]]:
    states = home.machine().pools["tank"].datasets[HOME].files
    return {one.path: (one.data, one.uid) for one in states if one.died is None}


def test_a_file_arrives_in_pieces_and_belongs_to_the_caller(home: SimulatedHost, api: APIClient) -> None:
    address = begun(api)
    assert put(api, address, 0, b"01234").json()["offset"] == 5
    assert api.get(address).json()["offset"] == 5
    assert put(api, address, 5, b"56789").json()["offset"] == 10
    done = api.post(f"{address}finish/", {})
    assert (done.status_code, done.json()["path"], done.json()["warnings"]) == (200, "a.txt", [])
    assert files(home) == {"a.txt": (b"0123456789", FIRST_PERSON)}
    event = AuditEvent.objects.get(action="files.upload")
    assert (event.actor, event.subject) == ("admin", f"{HOME}: a.txt")
    assert event.detail == {"size_bytes": 10, "existing": "refuse"}
    assert api.get(address).status_code == 404


def test_what_has_not_arrived_whole_has_another_name(home: SimulatedHost, api: APIClient) -> None:
    address = begun(api)
    put(api, address, 0, b"01234")
    key = address.split("/")[-2]
    assert list(files(home)) == [f".nasweb-upload-{key}"]
    assert codes(api.post(f"{address}finish/", {})) == ["incomplete"]
    assert [one["id"] for one in api.get("/api/v1/uploads/").json()["results"]] == [key]
    assert api.delete(address).status_code == 204
    assert files(home) == {}
    assert api.get("/api/v1/uploads/").json()["results"] == []


def test_pieces_that_do_not_fit_are_refused(home: SimulatedHost, api: APIClient) -> None:
    address = begun(api)
    assert codes(put(api, address, 3, b"01234")) == ["wrong-offset"]
    assert codes(put(api, address, 0, b"0" * 11)) == ["too-large"]
    other = f"sha-256=:{base64.b64encode(sha256(b'other').digest()).decode()}:"
    assert codes(put(api, address, 0, b"01234", other)) == ["damaged"]
    assert codes(put(api, address, 0, b"01234", "md5=:AA==:")) == ["bad-value"]
    assert codes(put(api, address, 0, b"")) == ["bad-length"]
    for offset in ("-1", "x", "", "1" * 30):
        assert codes(api.put(f"{address}?offset={offset}", b"x", content_type="application/octet-stream"))
    assert put(api, address, 0, b"x" * ((4 << 20) + 1)).status_code == 413
    assert api.get(address).json()["offset"] == 0


def test_a_file_that_is_there_stays_unless_the_caller_says_otherwise(
    home: SimulatedHost, api: APIClient
) -> None:
    home.write_file(HOME, b"a.txt", b"old")
    assert codes(begin(api)) == ["exists"]
    assert Upload.objects.count() == 0
    for existing, name in (("rename", "a (2).txt"), ("replace", "a.txt")):
        address = begun(api, existing=existing, size_bytes=3)
        put(api, address, 0, b"new")
        assert api.post(f"{address}finish/", {}).json()["path"] == name
    assert {path: data for path, (data, _) in files(home).items()} == {"a.txt": b"new", "a (2).txt": b"new"}


def test_a_name_that_was_taken_meanwhile_is_asked_about_at_the_end(
    home: SimulatedHost, api: APIClient
) -> None:
    address = begun(api, size_bytes=0)
    home.write_file(HOME, b"a.txt", b"old")
    assert codes(api.post(f"{address}finish/", {})) == ["exists"]
    assert api.post(f"{address}finish/", {"existing": "rename"}).json()["path"] == "a (2).txt"


def test_whoever_may_not_destroy_replaces_nothing(home: SimulatedHost) -> None:
    home.run(AddPerson(name="otto", uid=FIRST_PERSON + 1, full_name=""))
    refresh()
    operator = caller(User.objects.create_user("otto", "correct horse battery", role=Role.OPERATOR), *SCOPES)
    assert begin(operator, existing="replace").status_code == 403
    address = begun(operator, size_bytes=0)
    assert operator.post(f"{address}finish/", {"existing": "replace"}).status_code == 403
    assert operator.post(f"{address}finish/", {"existing": "rename"}).status_code == 200


@pytest.mark.parametrize("scopes", [("files:read", "pools:write"), ()])
def test_it_needs_its_scope(home: SimulatedHost, admin: User, scopes: tuple[str, ...]) -> None:
    poor = caller(admin, *scopes)
    assert begin(poor).status_code == 403
    assert poor.get("/api/v1/uploads/").status_code == 403
    assert poor.post(f"/api/v1/datasets/{HOME}/folders/", {"name": "a"}).status_code == 403


def test_nobody_sees_or_touches_the_uploads_of_others(home: SimulatedHost, api: APIClient) -> None:
    address = begun(api)
    other = caller(User.objects.create_user("eve", "correct horse battery", role=Role.ADMIN), *SCOPES)
    assert other.get("/api/v1/uploads/").json()["results"] == []
    assert [other.get(address).status_code, other.delete(address).status_code] == [404, 404]
    assert put(other, address, 0, b"x").status_code == 404
    assert other.post(f"{address}finish/", {}).status_code == 404


def test_an_account_without_a_nas_user_writes_nothing(home: SimulatedHost) -> None:
    eve = caller(User.objects.create_user("eve", "correct horse battery", role=Role.ADMIN), *SCOPES)
    answer = begin(eve)
    assert codes(answer) == ["no-nas-user"]
    assert "Add a NAS user called eve." in answer.json()["detail"]
    assert not any("systemd-run" in argv for argv in home.ran() if "eve" in " ".join(argv))


def test_an_account_called_like_one_of_the_system_writes_nothing(home: SimulatedHost) -> None:
    root = caller(User.objects.create_user("root", "correct horse battery", role=Role.ADMIN), *SCOPES)
    assert codes(begin(root)) == ["no-nas-user"]


def test_the_folder_decides_who_may_write(home: SimulatedHost, api: APIClient) -> None:
    home.run(SetFolderRights(dataset=HOME, path="", owner=0, group=0, acl=OPEN))
    assert codes(begin(api)) == ["not-allowed"]
    assert codes(api.post(f"/api/v1/datasets/{HOME}/folders/", {"name": "a"})) == ["not-allowed"]
    assert (files(home), Upload.objects.count()) == ({}, 0)


def test_a_folder_is_made(home: SimulatedHost, api: APIClient) -> None:
    made = api.post(f"/api/v1/datasets/{HOME}/folders/", {"name": "Photos?"})
    assert (made.status_code, made.json()["path"]) == (201, "Photos?")
    assert [warning["code"] for warning in made.json()["warnings"]] == ["windows"]
    inner = api.post(f"/api/v1/datasets/{HOME}/folders/", {"folder": "Photos?", "name": "2026"})
    assert inner.json()["path"] == "Photos?/2026"
    assert codes(api.post(f"/api/v1/datasets/{HOME}/folders/", {"name": "Photos?"})) == ["exists"]
    assert api.post("/api/v1/datasets/tank/gone/folders/", {"name": "a"}).status_code == 404
    subjects = AuditEvent.objects.filter(action="files.make-folder").values_list("subject", flat=True)
    assert sorted(subjects) == [f"{HOME}: Photos?", f"{HOME}: Photos?/2026"]


@pytest.mark.parametrize(
    "name", ["", "..", "a/b", ".zfs", "a%00", "a%0A", "%", "x" * 256, ".nasweb-upload-x"]
)
def test_names_that_lead_elsewhere_are_refused(home: SimulatedHost, api: APIClient, name: str) -> None:
    assert codes(begin(api, name=name)) == ["bad-name"]
    assert codes(api.post(f"/api/v1/datasets/{HOME}/folders/", {"name": name})) == ["bad-name"]
    assert codes(begin(api, folder="../etc")) == ["bad-path"]


def test_what_is_shut_says_so(home: SimulatedHost, api: APIClient) -> None:
    home.run(ZfsSet(name=HOME, properties={"readonly": "on"}))
    refresh()
    assert codes(begin(api)) == ["read-only"]
    home.run(ZfsSet(name=HOME, properties={"readonly": "off"}))
    home.run(ZfsUnmount(name=HOME))
    refresh()
    assert codes(begin(api)) == ["not-mounted"]
    assert codes(begin(api, dataset="tank/gone")) == ["unknown-dataset"]


def test_a_dry_run_does_nothing(home: SimulatedHost, api: APIClient) -> None:
    wish = {"dataset": HOME, "name": "a?.txt", "size_bytes": 1}
    tried = api.post("/api/v1/uploads/?dry_run=true", wish)
    assert (tried.status_code, tried.json()["path"], len(tried.json()["warnings"])) == (200, "a?.txt", 1)
    assert api.post(f"/api/v1/datasets/{HOME}/folders/?dry_run=true", {"name": "b"}).json()["path"] == "b"
    address = begun(api)
    assert api.post(f"{address}finish/?dry_run=true", {}).json()["path"] == "a.txt"
    assert api.delete(f"{address}?dry_run=true").json()["name"] == "a.txt"
    assert api.get(address).status_code == 200
    assert [path.startswith(".nasweb-upload-") for path in files(home)] == [True]


def test_more_than_is_free_is_refused_before(home: SimulatedHost, api: APIClient) -> None:
    assert codes(begin(api, size_bytes=1 << 59)) == ["no-space"]


def test_an_account_has_so_many_unfinished_ones(
    home: SimulatedHost, api: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pools.files.uploads._MOST", 2)
    begun(api)
    begun(api)
    assert codes(begin(api)) == ["too-many-uploads"]


def test_a_program_that_ended_is_started_again(home: SimulatedHost, api: APIClient) -> None:
    address = begun(api)
    with home.change() as machine:
        machine.receiving.clear()
    assert put(api, address, 0, b"01234").json()["offset"] == 5
    home.fail_next(ReceiveFiles, stderr="Failed to start transient service unit\n")
    with home.change() as machine:
        machine.receiving.clear()
    assert codes(put(api, address, 5, b"56789")) == ["cannot-be-written"]
    assert put(api, address, 5, b"56789").json()["offset"] == 10


def test_what_was_silent_for_a_day_is_removed(home: SimulatedHost, api: APIClient) -> None:
    put(api, begun(api), 0, b"01234")
    forget_uploads(timezone.now() + timedelta(hours=23), home)
    assert Upload.objects.count() == 1
    home.run(ZfsUnmount(name=HOME))
    forget_uploads(timezone.now() + timedelta(hours=25), home)
    assert Upload.objects.count() == 1
    forget_uploads(timezone.now() + timedelta(days=31), home)
    assert Upload.objects.count() == 0


def test_what_is_removed_leaves_nothing(home: SimulatedHost, api: APIClient) -> None:
    put(api, begun(api), 0, b"01234")
    forget_uploads(timezone.now() + timedelta(hours=25), home)
    assert (Upload.objects.count(), files(home)) == (0, {})


@pytest.mark.parametrize(
    ("purpose", "shared", "modes"),
    [
        ("drop-box", HOME, {"inner": 0o700, "a.txt": 0o600}),
        ("drop-box", "tank", {"inner": 0o700, "a.txt": 0o600}),
        ("drop-box", "tank/ho", {"inner": 0o775, "a.txt": 0o664}),
        ("general", HOME, {"inner": 0o775, "a.txt": 0o664}),
    ],
)
def test_what_is_put_into_a_drop_box_is_its_owners_alone(
    home: SimulatedHost, api: APIClient, purpose: Any, shared: str, modes: dict[str, int]
) -> None:
    share = SmbShare(id=1, name="Box", guid="", dataset=shared, purpose=purpose)
    cache.amend(lambda found: msgspec.structs.replace(found, sharing=Sharing(smb=(share,))))
    made = api.post(f"/api/v1/datasets/{HOME}/folders/", {"name": "inner"})
    assert made.status_code == 201, made.json()
    address = begun(api, size_bytes=0)
    assert api.post(f"{address}finish/", {}).status_code == 200
    states = home.machine().pools["tank"].datasets[HOME].files
    assert {one.path: one.mode for one in states if one.died is None} == modes
