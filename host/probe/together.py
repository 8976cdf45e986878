"""Reads that are made side by side."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any

from host.base import Host


def together(host: Host, at_once: int) -> Executor:
    """Where the reads of a probe run. A simulated machine answers without waiting for anything: there
    threads would only take time from one another."""
    return _InTurn() if host.kind == "simulated" else ThreadPoolExecutor(max_workers=at_once)


class _InTurn(Executor):
    """Each read is over before the next one begins."""

    def submit[T](self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        read: Future[T] = Future()
        try:
            read.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - whoever asks for the result gets it
            read.set_exception(error)
        return read
