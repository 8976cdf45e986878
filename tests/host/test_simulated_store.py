"""The file behind a simulated machine, read by many threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

from host.simulated import profiles
from host.simulated.store import Store


def test_threads_that_read_at_once_hold_one_machine(tmp_path: Path) -> None:
    Store(tmp_path / "machine.json", lambda: profiles.build("rack24")).read()
    store = Store(tmp_path / "machine.json", lambda: profiles.build("rack24"))
    start = Barrier(8)

    def read(_: int) -> int:
        start.wait()
        return id(store.read())

    with ThreadPoolExecutor(max_workers=8) as together:
        assert len(set(together.map(read, range(8)))) == 1
