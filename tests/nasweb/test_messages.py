"""What is none of our messages ends no worker: it is dropped, counted and logged."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from kombu import Connection, Consumer, Queue

from nasweb.celery import app
from nasweb.messages import FolderTransport, Malformed, RedisChannel, RedisTransport, check

QUEUE = Queue("celery", routing_key="celery")


def encoded(body: Any) -> str:
    return base64.b64encode(json.dumps(body).encode()).decode()


def message(*args: int, task: str = "jobs.tasks.carry_out") -> dict[str, Any]:
    """As Celery sends it, with the body in base64 as the transports have it."""
    made = app.amqp.as_task_v2("3b3c", task, args=args, expires=9.0)
    return {
        "body": encoded(made.body),
        "content-type": "application/json",
        "content-encoding": "utf-8",
        "headers": made.headers,
        "properties": made.properties
        | {
            "delivery_info": {"exchange": "", "routing_key": "celery"},
            "body_encoding": "base64",
            "delivery_tag": "7bbd",
        },
    }


def changed(**parts: Any) -> dict[str, Any]:
    """The message with other `headers`, `properties`, or parts."""
    made = message(7)
    for name, value in parts.items():
        key = name.replace("_", "-")
        made[key] = made[key] | value if isinstance(value, dict) else value
    return made


NOTHING = {"callbacks": None, "errbacks": None, "chain": None, "chord": None}
MALFORMED: dict[str, Any] = {
    "no object": [1],
    "empty": {},
    "no properties": {"body": "", "headers": {}},
    "no tag": changed(properties={"delivery_tag": None}),
    "a body of another encoding": changed(properties={"body_encoding": "hex"}),
    "a body that is no base64": changed(body="\u00e4"),
    "a body that is no text": changed(body=7),
    "a body that is no JSON": changed(body=base64.b64encode(b"\xff[").decode()),
    "a body of another kind": changed(body=encoded({"args": [7]})),
    "a huge body": changed(body=encoded([["x" * 100_000], {}, NOTHING])),
    "a text for a number": changed(body=encoded([["7"], {}, NOTHING])),
    "too many numbers": changed(body=encoded([[7, 8], {}, NOTHING])),
    "names": changed(body=encoded([[7], {"job_id": 7}, NOTHING])),
    "another task behind it": changed(body=encoded([[7], {}, NOTHING | {"callbacks": [{"task": "x"}]}])),
    "no task": changed(headers={"task": None}),
    "an unknown task": changed(headers={"task": "os.system"}),
    "no headers": changed(headers=None),
    "pickle": changed(content_type="application/x-python-serialize"),
    "another charset": changed(content_encoding="utf-16"),
    "to be unpacked": changed(headers={"compression": "application/x-gzip"}),
    "for another time": changed(headers={"eta": "x"}),
    "limits of another kind": changed(headers={"timelimit": "x"}),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_it_is_distinguished_from_ours(name: str) -> None:
    with pytest.raises(Malformed):
        check(MALFORMED[name])


@pytest.mark.parametrize("task", ["jobs.tasks.carry_out", "jobs.tasks.sweep", "alerts.tasks.tell"])
def test_ours_are_as_celery_sends_them(task: str) -> None:
    args = (7,) if task == "jobs.tasks.carry_out" else ()
    check(message(*args, task=task))


def test_a_url_leads_to_the_guarded_transports() -> None:
    found: list[Any] = [Connection(f"{name}://").get_transport_cls() for name in ("redis", "filesystem")]
    assert found == [RedisTransport, FolderTransport]
    assert issubclass(Connection("redis+socket:///run/x.sock").get_transport_cls(), RedisTransport)


def test_a_folder_of_malformed_messages_is_worked_off(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "messages"
    folder.mkdir()
    raw = [b"\xff\xfe", b"{", b"", b"[" * 100_000, *(json.dumps(one).encode() for one in MALFORMED.values())]
    for number, content in enumerate([*raw, json.dumps(message(7)).encode()]):
        (folder / f"{number:03}.celery.msg").write_bytes(content)
    options = {"data_folder_in": str(folder), "data_folder_out": str(folder),
               "control_folder": str(tmp_path / "control")}  # fmt: skip
    taken: list[Any] = []
    connection = Connection("filesystem://localhost/", transport_options=options)
    with connection, Consumer(connection, [QUEUE], on_message=taken.append, no_ack=True):
        for _ in range(len(raw) + 1):
            connection.drain_events(timeout=1)
    assert [one.headers["task"] for one in taken] == ["jobs.tasks.carry_out"]
    assert list(folder.iterdir()) == []
    assert caplog.text.count("dropped a malformed message of the queue") == len(raw)


@pytest.mark.parametrize("item", [b"\xff\xfe", b"{", b"[" * 100_000, b"{}", b"7"])
def test_a_malformed_message_in_redis_is_dropped(
    item: bytes, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    channel = object.__new__(RedisChannel)

    def read(self: Any, **_: Any) -> None:
        RedisChannel.Message(json.loads(item.decode()), channel=channel)

    monkeypatch.setattr(RedisChannel.__mro__[1], "_brpop_read", read)
    assert channel._brpop_read() is True
    assert "dropped a malformed message of the queue" in caplog.text
