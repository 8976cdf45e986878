"""Shares of SMB through the API, on the simulated machine."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from host.commands.shares.sharing import PATHS, CheckSamba, ReloadService, ShareAnswers
from host.simulated import SimulatedHost
from tests.conftest import refresh
from tests.prepared import made_once
from tests.shares.sharing import dataset, did, faults, person, smb

pytestmark = pytest.mark.usefixtures("tank")
SAMBA = PATHS["samba"]


@pytest.fixture
@made_once
def files(api: APIClient, tank: dict[str, Any]) -> APIClient:
    dataset(api, "tank/files")
    person(api, "anna")
    return api


def served(simulated: SimulatedHost) -> str:
    return simulated.machine().samba


def test_a_share_is_rendered_checked_put_in_place_and_asked_for(
    files: APIClient, simulated: SimulatedHost
) -> None:
    job = smb(files, "Files", write=["anna"])
    assert [step["title"] for step in job["steps"]] == [
        "Save the share Files of tank/files",
        "Write the new files beside those in use, and check them",
        "Put them in place, reload them, and check that everything is served",
    ]
    words = [" ".join(command[:3]) for step in job["steps"] for command in step["commands"]]
    assert f"testparm --suppress-prompt {SAMBA}.next" in words
    assert "systemctl enable --now" in words
    asked = [" ".join(command) for step in job["steps"] for command in step["commands"]]
    assert any(line.endswith("smbclient //127.0.0.1/Files --no-pass --command=exit") for line in asked)
    assert "[Files]\n    path = /mnt/tank/files\n" in served(simulated)
    share = files.get("/api/v1/shares/smb/Files/").json()
    assert (share["state"], share["path"], share["write"]) == ("served", "/mnt/tank/files", ["anna"])


def test_a_share_is_changed_renamed_and_deleted_and_its_files_stay(
    files: APIClient, simulated: SimulatedHost
) -> None:
    smb(files, "Files", write=["anna"])
    job = did(files.patch("/api/v1/shares/smb/Files/", {"name": "Papers", "hidden": True}))
    asked = [command for step in job["steps"] for command in step["commands"]]
    assert ["smbcontrol", "--", "smbd", "close-share", "Files"] in asked
    assert "[Files]" not in served(simulated)
    assert "[Papers]" in served(simulated)
    assert files.get("/api/v1/shares/smb/Files/").status_code == 404
    assert files.get("/api/v1/shares/smb/papers/").json()["hidden"] is True
    did(files.delete("/api/v1/shares/smb/Papers/"))
    assert served(simulated) == ""
    assert simulated.machine().services["smbd"] == "inactive"
    refresh()
    assert files.get("/api/v1/datasets/tank/files/").json()["name"] == "tank/files"


def test_a_plan_shows_how_the_file_will_differ_and_what_brings_the_old_one_back(files: APIClient) -> None:
    plan = files.post(
        "/api/v1/shares/smb/?dry_run=true", {"name": "Files", "dataset": "tank/files", "write": ["anna"]}
    ).json()
    (change,) = [change for change in plan["steps"][1]["changes"] if change["path"] == SAMBA]
    assert "+[Files]" in change["diff"].splitlines()
    assert ["mv", "--no-target-directory", f"{SAMBA}.before", SAMBA] in plan["steps"][2]["undo"]


def test_what_samba_does_not_understand_never_takes_the_place_of_what_it_serves(
    files: APIClient, simulated: SimulatedHost
) -> None:
    smb(files, "Files", write=["anna"])
    before = served(simulated)
    simulated.fail_next(CheckSamba, stderr='Unknown parameter encountered: "nonsense"\n')
    answer = files.post("/api/v1/shares/smb/", {"name": "More", "dataset": "tank/files", "write": ["anna"]})
    assert answer.json()["state"] == "failed"
    assert "nonsense" in answer.json()["error"]["detail"]
    assert simulated.machine().files[SAMBA] == before == served(simulated)
    assert [one["name"] for one in files.get("/api/v1/shares/smb/").json()["results"]] == ["Files"]


@pytest.mark.parametrize("failing", [ReloadService, ShareAnswers])
def test_what_does_not_answer_is_put_back_and_read_again(
    files: APIClient, simulated: SimulatedHost, failing: type[ReloadService] | type[ShareAnswers]
) -> None:
    smb(files, "Files", write=["anna"])
    before = served(simulated)
    simulated.fail_next(failing, stderr="It does not answer.\n", exit_status=2)
    answer = files.post("/api/v1/shares/smb/", {"name": "More", "dataset": "tank/files", "write": ["anna"]})
    job = answer.json()
    assert job["state"] == "failed"
    assert "Undone: mv" in job["steps"][2]["output"]
    assert simulated.machine().files[SAMBA] == before == served(simulated)


def test_all_that_is_wrong_is_reported_at_once(files: APIClient) -> None:
    smb(files, "Files", write=["anna"])
    answer = files.post(
        "/api/v1/shares/smb/",
        {
            "name": "files",
            "dataset": "tank/nowhere",
            "read": ["bert", "@crew"],
            "comment": "100 % mine",
            "extra": {"root preexec": "reboot", "create mask": "rwx"},
            "guests": "read",
            "encryption": "required",
            "most_bytes": 5,
        },
    )
    assert faults(answer) == {
        ("name", "name-taken"),
        ("dataset", "unknown-dataset"),
        ("read[0]", "unknown-person"),
        ("read[1]", "unknown-group"),
        ("comment", "bad-value"),
        ("extra.root preexec", "bad-parameter"),
        ("extra.create mask", "bad-parameter"),
        ("encryption", "guests-in-clear"),
        ("most_bytes", "not-time-machine"),
    }


def test_a_share_of_debians_own_file_keeps_its_name(files: APIClient, simulated: SimulatedHost) -> None:
    with simulated._store.change() as machine:
        machine.files["/etc/samba/smb.conf"] = "[global]\n[Old Share]\npath = /srv\n"
    refresh()
    answer = files.post(
        "/api/v1/shares/smb/", {"name": "old share", "dataset": "tank/files", "write": ["anna"]}
    )
    assert faults(answer) == {("name", "name-taken")}


def test_the_last_share_is_closed_to_its_clients_where_smbd_goes_on_for_others(
    files: APIClient, simulated: SimulatedHost
) -> None:
    smb(files, "Files", write=["anna"])
    with simulated._store.change() as machine:
        machine.files["/etc/samba/smb.conf"] = "[global]\n[Old Share]\npath = /srv\n"
    refresh()
    job = did(files.delete("/api/v1/shares/smb/Files/"))
    ran = [command for step in job["steps"] for command in step["commands"]]
    assert ["smbcontrol", "--", "smbd", "close-share", "Files"] in ran


def test_nobody_and_no_change_are_refused(files: APIClient) -> None:
    answer = files.post("/api/v1/shares/smb/", {"name": "Files", "dataset": "tank/files"})
    assert faults(answer) == {("write", "nobody")}
    smb(files, "Files", write=["anna"])
    answer = files.patch("/api/v1/shares/smb/Files/", {"write": ["anna"]})
    assert faults(answer) == {("", "nothing-changes")}


def test_a_change_by_hand_is_reported_and_written_over_by_a_plan_that_shows_it(
    files: APIClient, simulated: SimulatedHost
) -> None:
    smb(files, "Files", write=["anna"])
    with simulated._store.change() as machine:
        machine.files[SAMBA] += "    guest ok = yes\n"
    refresh()
    assert files.get("/api/v1/shares/settings/").json()["drift"] == ["samba"]
    plan = files.post("/api/v1/shares/apply/?dry_run=true", {}).json()
    assert "-    guest ok = yes" in plan["steps"][0]["changes"][0]["diff"].splitlines()
    assert [one["code"] for one in plan["findings"]] == ["drift"]
    did(files.post("/api/v1/shares/apply/", {"digest": plan["digest"]}))
    refresh()
    assert files.get("/api/v1/shares/settings/").json()["drift"] == []
    assert faults(files.post("/api/v1/shares/apply/", {})) == {("", "nothing-changes")}


@pytest.mark.parametrize(
    ("change", "end"),
    [
        (
            {"recycle_bin": True},
            "Clients connected now keep the old settings for the recycle bin until they reconnect.",
        ),
        (
            {"audit": True, "case_sensitive": True, "hidden": True},
            (
                "Clients connected now keep the old settings for the log of deletions and case sensitivity "
                "until they reconnect."
            ),
        ),
        ({"hidden": True}, "Nobody is disconnected."),
        ({"recycle_bin": True, "encryption": "required"}, "what they have not saved may be lost."),
    ],
)
def test_what_samba_reads_when_a_client_connects_is_said_to_come_later(
    files: APIClient, change: dict[str, Any], end: str
) -> None:
    smb(files, "Files", write=["anna"])
    plan = files.patch("/api/v1/shares/smb/Files/?dry_run=true", change).json()
    assert plan["summary"].endswith(f" {end}")


def test_nobody_is_connected_to_a_share_that_is_off(files: APIClient) -> None:
    smb(files, "Files", write=["anna"], enabled=False)
    plan = files.patch("/api/v1/shares/smb/Files/?dry_run=true", {"recycle_bin": True}).json()
    assert "reconnect" not in plan["summary"]
