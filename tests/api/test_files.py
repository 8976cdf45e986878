"""Files through the API: browse, versions, differences, downloads, restores, and who may."""

from __future__ import annotations

import io
import tarfile
from hashlib import sha256
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from rest_framework.test import APIClient

from accounts.models import User
from accounts.roles import SCOPES, Role
from host.commands.datasets.snapshots import ZfsSnapshot
from host.commands.datasets.zfs import ZfsCreate, ZfsUnmount
from host.simulated import SimulatedHost
from jobs.models import AuditEvent
from tests.conftest import caller, refresh
from tests.prepared import made_once

HOME = "tank/home"
DATASET = f"dataset={HOME}"


@pytest.fixture
@made_once
def home(simulated: SimulatedHost, tank: dict[str, Any]) -> SimulatedHost:
    """A dataset whose letter was written, rewritten and deleted, with snapshots between."""
    simulated.run(ZfsCreate(name=HOME))
    simulated.furnish(HOME)
    simulated.run(ZfsSnapshot(names=(f"{HOME}@s1",)))
    simulated.run(ZfsSnapshot(names=(f"{HOME}@s2",)))
    simulated.write_file(HOME, b"Letters/neighbour.txt", b"Dear neighbour,\n\nI moved.\n")
    simulated.run(ZfsSnapshot(names=(f"{HOME}@s3",)))
    simulated.delete_file(HOME, b"Letters/neighbour.txt")
    refresh()
    return simulated


def names(answer: Any) -> list[str]:
    return [one["name"] for one in answer.json()["results"]]


def body(answer: Any) -> bytes:
    return b"".join(answer.streaming_content)


def test_a_folder_is_listed_as_it_is_and_as_it_was(home: SimulatedHost, api: APIClient) -> None:
    now = api.get(f"/api/v1/files/?{DATASET}&path=Letters")
    assert names(now) == ["b%E4ckerei.txt", "Grüße 100%25.txt"]
    then = api.get(f"/api/v1/snapshots/{HOME}@s1/files/?path=Letters")
    assert names(then) == ["b%E4ckerei.txt", "Grüße 100%25.txt", "neighbour.txt"]
    letter = then.json()["results"][2]
    assert (letter["path"], letter["kind"], letter["owner"], letter["mode"]) == (
        "Letters/neighbour.txt", "file", "ada", "0644",
    )  # fmt: skip
    assert then.json()["count"] == 3
    assert names(api.get(f"/api/v1/files/?{DATASET}&snapshot=s3&path=Letters")) == names(then)


def test_a_large_folder_comes_a_page_at_a_time(home: SimulatedHost, api: APIClient) -> None:
    address, found = f"/api/v1/snapshots/{HOME}@s1/files/?path=Photos/2025&limit=5", []
    while address:
        answer = api.get(address)
        found += names(answer)
        following = answer.json()["next"]
        address = following and f"{urlsplit(following).path}?{urlsplit(following).query}"
    assert found == [f"IMG_2025{number:04}.jpg" for number in range(1, 13)]
    assert names(api.get(f"/api/v1/files/?{DATASET}&path=Photos/2025&contains=0007")) == ["IMG_20250007.jpg"]


def test_versions_are_folded_and_their_end_is_told(home: SimulatedHost, api: APIClient) -> None:
    answer = api.get(f"/api/v1/files/versions/?{DATASET}&path=Letters/neighbour.txt").json()
    report = [
        (one["newest"], one["oldest"], one["snapshots"], one["change"], one["now"], bool(one["file"]))
        for one in answer["results"]
    ]
    assert report == [
        (None, None, 0, "gone", True, False),
        ("s3", "s3", 1, "content", False, True),
        ("s2", "s1", 2, None, False, True),
    ]
    assert (answer["examined"], answer["next"]) == (3, None)


def test_versions_come_a_page_at_a_time(home: SimulatedHost, api: APIClient) -> None:
    first = api.get(f"/api/v1/files/versions/?{DATASET}&path=Letters/neighbour.txt&limit=1").json()
    assert [one["newest"] for one in first["results"]] == [None, "s3"]
    following = urlsplit(first["next"])
    second = api.get(f"{following.path}?{following.query}").json()
    assert [one["newest"] for one in second["results"]] == ["s2"]


def test_two_versions_of_a_text_are_compared(home: SimulatedHost, api: APIClient) -> None:
    wanted = f"{DATASET}&path=Letters/neighbour.txt&before=s1&then=s3"
    answer = api.get(f"/api/v1/files/compare/?{wanted}").json()
    assert answer["lines"][:2] == ["--- s1", "+++ s3"] and "+I moved." in answer["lines"]
    gone = api.get(f"/api/v1/files/compare/?{DATASET}&path=Letters/neighbour.txt&before=s1")
    assert gone.status_code == 404
    binary = api.get(f"/api/v1/files/compare/?{DATASET}&path=Photos/2025/IMG_20250001.jpg&before=s1")
    assert (binary.status_code, binary.json()["findings"][0]["code"]) == (422, "too-large")


def test_a_file_is_downloaded_and_nothing_acts_in_it(home: SimulatedHost, api: APIClient) -> None:
    answer: Any = api.get(f"/api/v1/snapshots/{HOME}@s3/files/download/?path=Letters/neighbour.txt")
    assert (answer.status_code, body(answer)) == (200, b"Dear neighbour,\n\nI moved.\n")
    assert answer["Content-Type"] == "application/octet-stream"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Security-Policy"].startswith("sandbox")
    assert answer["Content-Disposition"].startswith('attachment; filename="neighbour.txt"')
    assert answer["Content-Length"] == "26"
    event = AuditEvent.objects.filter(action="files.download").get()
    assert (event.actor, event.subject) == ("admin", f"{HOME}@s3: Letters/neighbour.txt")
    assert event.detail == {"size_bytes": 26}


def test_names_of_any_bytes_are_downloaded(home: SimulatedHost, api: APIClient) -> None:
    for path, content in (
        ("b%E4ckerei.txt", b"Two loaves, please.\n"),
        ("Grüße 100%25.txt", "Viele Grüße\n".encode()),
    ):
        answer: Any = api.get(f"/api/v1/files/download/?{DATASET}&path={quote(f'Letters/{path}')}")
        assert body(answer) == content
    assert "filename*=UTF-8''Gr%C3%BC%C3%9Fe%20100%25.txt" in answer["Content-Disposition"]


def test_a_download_goes_on_where_it_was_cut_off(home: SimulatedHost, api: APIClient) -> None:
    address = f"/api/v1/files/download/?{DATASET}&path=Photos/2024/IMG_20240001.jpg"
    whole: Any = api.get(address)
    data = body(whole)
    assert len(data) == int(whole["Content-Length"])
    rest: Any = api.get(address, headers={"range": "bytes=1000-", "if-range": whole["ETag"]})
    assert (rest.status_code, rest["Content-Range"]) == (206, f"bytes 1000-{len(data) - 1}/{len(data)}")
    assert sha256(data[:1000] + body(rest)).digest() == sha256(data).digest()
    last: Any = api.get(address, headers={"range": "bytes=-5"})
    assert body(last) == data[-5:]
    assert api.get(address, headers={"range": f"bytes={len(data)}-"}).status_code == 416
    other: Any = api.get(address, headers={"range": "bytes=1-2", "if-range": '"other"'})
    assert (other.status_code, len(body(other))) == (200, len(data))


def test_a_folder_is_downloaded_as_an_archive(home: SimulatedHost, api: APIClient) -> None:
    answer: Any = api.get(f"/api/v1/files/download/?{DATASET}&snapshot=s1&path=Letters&archive=true")
    assert 'filename="Letters.tar"' in answer["Content-Disposition"]
    with tarfile.open(fileobj=io.BytesIO(body(answer))) as archive:
        assert "Letters/neighbour.txt" in archive.getnames()


@pytest.mark.parametrize(
    "address",
    [
        "files/?dataset=tank/gone",
        f"files/?{DATASET}&snapshot=gone",
        f"files/?{DATASET}&path=gone",
        f"snapshots/{HOME}@gone/files/",
        "snapshots/tank/files/",
        f"snapshots/{HOME}@s1/files/?path=gone/deeper",
    ],
)
def test_what_is_not_there_is_not_found(home: SimulatedHost, api: APIClient, address: str) -> None:
    assert api.get(f"/api/v1/{address}").status_code == 404


@pytest.mark.parametrize(
    "path", ["..", "a/../..", "/etc/passwd", ".zfs/snapshot", "a%2500b", "%25zz", "a//b"]
)
@pytest.mark.parametrize("what", ["", "versions/", "compare/", "download/"])
def test_no_path_leads_elsewhere(home: SimulatedHost, api: APIClient, what: str, path: str) -> None:
    answer = api.get(f"/api/v1/files/{what}?{DATASET}&path={path}")
    assert answer.status_code == 422
    assert answer.json()["findings"][0]["field"] == "path"


def test_links_are_shown_and_not_followed(home: SimulatedHost, api: APIClient) -> None:
    photos = api.get(f"/api/v1/files/?{DATASET}&path=Photos").json()["results"]
    assert [(one["name"], one["leads_to"]) for one in photos if one["kind"] == "link"] == [("newest", "2026")]
    inner = api.get(f"/api/v1/files/?{DATASET}&path=Photos/newest/IMG_20260001.jpg")
    assert (inner.status_code, inner.json()["findings"][0]["code"]) == (422, "outside")


def test_an_unmounted_dataset_says_so(home: SimulatedHost, api: APIClient) -> None:
    home.run(ZfsUnmount(name=HOME))
    refresh()
    for address in (f"files/?{DATASET}", f"snapshots/{HOME}@s1/files/", f"files/versions/?{DATASET}&path=x"):
        answer = api.get(f"/api/v1/{address}")
        assert (answer.status_code, answer.json()["findings"][0]["code"]) == (422, "not-mounted")


def test_who_looks_after_the_machine_does_not_read_files_for_that(home: SimulatedHost) -> None:
    viewer = User.objects.create_user("viewer", "correct horse battery", role=Role.VIEWER)
    operator = User.objects.create_user("operator", "correct horse battery", role=Role.OPERATOR)
    address = f"/api/v1/files/download/?{DATASET}&path=Money/budget.csv"
    assert caller(viewer, *SCOPES).get(address).status_code == 403
    assert caller(operator, "pools:read", "pools:write").get(address).status_code == 403
    assert caller(operator, "files:read").get(address).status_code == 200


RESTORE = f"/api/v1/snapshots/{HOME}@s1/restore/"


def test_a_deleted_file_comes_back(home: SimulatedHost, api: APIClient) -> None:
    wish = {"path": "Letters/neighbour.txt", "mode": "over"}
    plan = api.post(f"{RESTORE}?dry_run=true", wish).json()
    assert [step["destroys"] for step in plan["steps"]] == [[]]
    done = api.post(RESTORE, wish | {"digest": plan["digest"]})
    assert (done.status_code, done.json()["state"]) == (202, "succeeded")
    answer: Any = api.get(f"/api/v1/files/download/?{DATASET}&path=Letters/neighbour.txt")
    assert b"the key is where it always was" in body(answer)
    report = api.get(f"/api/v1/files/restores/?{DATASET}").json()["results"]
    assert [(one["target"], one["verdict"]) for one in report] == [("Letters/neighbour.txt", "restored")]
    over = {"dataset": HOME, "restore": report[0]["restore"]}
    late = api.post("/api/v1/files/restores/stop/", over)
    assert (late.status_code, late.json()["findings"][0]["code"]) == (422, "has-ended")


def test_to_restore_over_a_file_has_to_be_confirmed_and_keeps_it(home: SimulatedHost, api: APIClient) -> None:
    home.write_file(HOME, b"Letters/neighbour.txt", b"something new\n")
    wish = {"path": "Letters/neighbour.txt", "mode": "over"}
    asked = api.post(RESTORE, wish)
    assert asked.status_code == 409
    plan = asked.json()["plan"]
    assert [step["title"][:4] for step in plan["steps"]] == ["Take", "Repl"]
    (lost,) = plan["steps"][1]["destroys"]
    assert "Letters/neighbour.txt as it is now" in lost["holds"] and lost["size_bytes"] == 14
    done = api.post(RESTORE, wish | {"digest": plan["digest"]})
    assert done.json()["state"] == "succeeded"
    kept = plan["steps"][0]["commands"][0][-1].partition("@")[2]
    assert kept.startswith("before-restore-") and kept.endswith("-1")
    old: Any = api.get(f"/api/v1/snapshots/{HOME}@{kept}/files/download/?path=Letters/neighbour.txt")
    assert body(old) == b"something new\n"
    home.write_file(HOME, b"Letters/neighbour.txt", b"newer\n")
    again = api.post(f"{RESTORE}?dry_run=true", wish).json()
    assert again["steps"][0]["commands"][0][-1].endswith("-2")


def test_a_file_comes_back_beside_under_a_name_that_says_when(home: SimulatedHost, api: APIClient) -> None:
    wish = {"path": "Letters/neighbour.txt", "mode": "beside"}
    assert api.post(RESTORE, wish).json()["state"] == "succeeded"
    assert "neighbour (s1).txt" in names(api.get(f"/api/v1/files/?{DATASET}&path=Letters"))
    again = api.post(RESTORE, wish)
    assert (again.status_code, again.json()["findings"][0]["code"]) == (422, "name-taken")
    elsewhere = wish | {"folder": "Money", "name": "letter.txt"}
    assert api.post(RESTORE, elsewhere).json()["state"] == "succeeded"
    assert "letter.txt" in names(api.get(f"/api/v1/files/?{DATASET}&path=Money"))


def test_a_whole_folder_comes_back(home: SimulatedHost, api: APIClient) -> None:
    home.delete_file(HOME, b"Photos")
    assert api.post(RESTORE, {"path": "Photos", "mode": "over"}).json()["state"] == "succeeded"
    assert names(api.get(f"/api/v1/files/?{DATASET}&path=Photos")) == ["2024", "2025", "2026", "newest"]
    assert len(names(api.get(f"/api/v1/files/?{DATASET}&path=Photos/2025"))) == 12


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        ({"path": "", "mode": "beside"}, "path"),
        ({"path": "../x", "mode": "beside"}, "path"),
        ({"path": "a", "mode": "sideways"}, "mode"),
        ({"path": "a"}, "mode"),
        ({"path": "Money", "mode": "over", "name": "x"}, "mode"),
        ({"path": "Money", "mode": "beside", "name": "a/b"}, "name"),
        ({"path": "Money", "mode": "beside", "folder": "/"}, "folder"),
        ({"path": "Money", "mode": "beside", "folder": "gone"}, "folder"),
        ({"path": "Money", "mode": "beside", "name": "x" * 256}, "name"),
        ({"path": "gone", "mode": "beside"}, "path"),
        ({"path": "Money/budget.csv", "mode": "over"}, "path"),
    ],
)
def test_bad_wishes_are_refused_by_field(
    home: SimulatedHost, api: APIClient, wish: dict[str, Any], field: str
) -> None:
    answer = api.post(RESTORE, wish)
    assert answer.status_code == 422
    assert field in {finding["field"] for finding in answer.json()["findings"]}


def test_nothing_is_restored_where_there_is_no_room(home: SimulatedHost, api: APIClient) -> None:
    home.machine()
    api.patch(f"/api/v1/datasets/{HOME}/", {"properties": {"quota": "1M"}})
    done = api.post(RESTORE, {"path": "Videos", "mode": "beside"})
    job = done.json()
    assert job["state"] == "failed" and "quota is reached" in job["steps"][0]["output"]
    assert "Videos (s1)" not in names(api.get(f"/api/v1/files/?{DATASET}"))
