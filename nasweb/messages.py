"""What may come out of the queue: one of our tasks, with a job's id at most. All else is dropped and logged.

Celery and its transports take the form of a message for granted: one that is no JSON, or whose headers are of
another kind, is an exception in the worker's own loop, and the worker ends.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from itertools import count
from typing import Annotated, Any, Literal

import msgspec
import structlog
from celery import current_app
from kombu.transport import TRANSPORT_ALIASES, filesystem, redis, virtual
from msgspec import Meta

from host import typed

_log = structlog.get_logger("queue")
_dropped = count(1)
_LONGEST_BODY = 1024  # a task's has a hundred letters
_Text = Annotated[str, Meta(max_length=255)]
_Id = Annotated[str, Meta(min_length=1, max_length=64)]
# Whatever else they say, they can make the worker call other tasks, wait, or unpack without end.
_Never = dict[str, None]


class _Properties(msgspec.Struct):
    delivery_tag: _Id
    delivery_info: dict[str, str]
    body_encoding: Literal["base64"]
    priority: int = 0
    correlation_id: _Text | None = None
    reply_to: _Text | None = None


class _Headers(msgspec.Struct):
    task: _Text
    id: _Id
    timelimit: tuple[None, None]
    retries: Literal[0] = 0
    expires: _Text | None = None
    root_id: _Id | None = None
    eta: None = None
    shadow: None = None
    group: None = None
    group_index: None = None
    parent_id: _Id | None = None
    compression: None = None
    stamped_headers: None = None
    stamps: _Never = {}


class _Message(msgspec.Struct, rename="kebab"):
    body: Annotated[str, Meta(max_length=_LONGEST_BODY)]
    properties: _Properties
    headers: _Headers
    content_type: Literal["application/json"]
    content_encoding: Literal["utf-8"]


_Body = tuple[Annotated[tuple[int, ...], Meta(max_length=1)], _Never, _Never]


class Malformed(ValueError):
    """It is none of our messages; the text says why."""


def check(raw: Any) -> None:
    """Raises `Malformed` for what this console did not put on the queue."""
    try:
        message = typed.convert(raw, _Message)
        typed.decode(base64.b64decode(message.body, validate=True), _Body)
    except ValueError as error:  # of msgspec, or of base64
        raise Malformed(str(error)) from None
    if message.headers.task not in current_app.tasks:
        raise Malformed(f"there is no task {message.headers.task!r}")


def drop(queue: str, why: Exception) -> None:
    """Log that a message was dropped, and how many were since the start."""
    _log.error(
        "dropped a malformed message of the queue", queue=queue, why=str(why)[:200], dropped=next(_dropped)
    )


class Message(virtual.Message):
    """A message that is checked before anything in it is used."""

    def __init__(self, payload: Any, channel: Any = None, **more: Any) -> None:
        check(payload)
        super().__init__(payload, channel=channel, **more)


def _guarded[**P, T](queue: str, step: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
    """`step` takes one message from the queue and hands it on; a bad one is gone from there already."""
    try:
        return step(*args, **kwargs)
    except (ValueError, RecursionError) as error:  # of JSON, of UTF-8, or `Malformed`
        drop(queue, error)
        return None


class FolderChannel(filesystem.Channel):
    """A queue that is a folder."""

    Message = Message

    def _get_and_deliver(self, queue: str, callback: Any) -> None:
        _guarded(queue, super()._get_and_deliver, queue, callback)


class FolderTransport(filesystem.Transport):
    """Makes `FolderChannel`s."""

    Channel = FolderChannel


class RedisChannel(redis.Channel):
    """A queue in Redis."""

    Message = Message

    def _brpop_read(self, **options: Any) -> bool:
        _guarded("redis", super()._brpop_read, **options)  # type: ignore[misc]
        return True

    def _get_and_deliver(self, queue: str, callback: Any) -> None:
        _guarded(queue, super()._get_and_deliver, queue, callback)


class RedisTransport(redis.Transport):
    """Makes `RedisChannel`s."""

    Channel = RedisChannel


def guard() -> None:
    """Let Celery use these transports wherever a URL names Redis or a folder."""
    TRANSPORT_ALIASES["redis"] = f"{__name__}:RedisTransport"
    TRANSPORT_ALIASES["filesystem"] = f"{__name__}:FolderTransport"
