"""How soon pages answer to their user on a slow processor, in Chromium in front of `make run`.

Interactive is the latest of first paint, DOMContentLoaded and the end of the last task of over 50 ms, after
which the main thread stays idle for five seconds: the definition of https://web.dev/articles/tti.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from statistics import median
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.bench.processes import ROOT, Console, running
from tests.bench.timing import show
from tests.browser.chromium import CHROMIUM, QUIET

_THROTTLED = 6  # times slower than this processor
_RUNS = 7
_IDLE_MS = 5_000
_PASSWORD = "correct horse battery"
_PAGES = (("overview", "/"), ("disks page", "/disks/"), ("pool page", "/pools/tank/"))

_WATCH = """
window.longTasks = [];
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) window.longTasks.push(one.startTime + one.duration);
}).observe({ type: "longtask", buffered: true });
"""
_INTERACTIVE = """() => Math.max(
  performance.getEntriesByName("first-contentful-paint")[0].startTime,
  performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd,
  ...window.longTasks,
)"""


def measure() -> None:
    """A machine with a pool, as its admin sees it."""
    with tempfile.TemporaryDirectory() as folder, running(folder) as console:
        _make_tank(console, folder)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
            page = _signed_in(browser, console)
            for name, path in _PAGES:
                _show(page, name, console.address + path)
            browser.close()


def _show(page: Page, name: str, address: str) -> None:
    found = []
    for _ in range(_RUNS):
        page.goto(address, wait_until="load")
        page.wait_for_timeout(_IDLE_MS)
        found.append(page.evaluate(_INTERACTIVE))
    how = f"median of {_RUNS}, processor {_THROTTLED} times slower, files cached; worst {max(found):.0f}"
    show(f"{name} interactive", median(found), aim=1500, unit="ms", how=how)


def _signed_in(browser: Browser, console: Console) -> Page:
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.add_init_script(_WATCH)
    page.goto(f"{console.address}/accounts/login/")
    page.fill("#login", "bench")
    page.fill("#password", _PASSWORD)
    page.press("#password", "Enter")
    page.wait_for_load_state()
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": _THROTTLED})
    return page


def _make_tank(console: Console, folder: str) -> None:
    _manage(folder, "setup", "--username", "bench", "--password-stdin", typed=_PASSWORD)
    scopes = ("disks:read", "pools:read", "pools:write", "jobs:read")
    token = _manage(folder, "token", "create", "bench", *(f"--scope={scope}" for scope in scopes))
    disks = _asked(console, token, "disks/?limit=1000")["results"]
    free = [disk["id"] for disk in disks if disk["used_by"] is None][:6]
    pool = {"name": "tank", "vdevs": [{"role": "data", "layout": "raidz2", "disks": free}]}
    plan = _asked(console, token, "pools/?dry_run=true", pool)
    job = _asked(console, token, "pools/", pool | {"digest": plan["digest"]})
    while job["state"] in {"queued", "running"}:
        time.sleep(0.2)
        job = _asked(console, token, f"jobs/{job['id']}/")
    assert job["state"] == "succeeded", job


def _manage(folder: str, *words: str, typed: str = "") -> str:
    done = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), *words],
        env=os.environ | {"DATA_DIR": folder, "MACHINE": "home", "DJANGO_SETTINGS_MODULE": "nasweb.settings"},
        input=typed, text=True, check=True, capture_output=True,
    )  # fmt: skip
    return done.stdout.strip()


def _asked(console: Console, token: str, path: str, body: object = None) -> Any:
    request = urllib.request.Request(
        f"{console.address}/api/v1/{path}",
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
    )
    for _ in range(100):
        try:
            with urllib.request.urlopen(request, timeout=70) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code != 503:  # the machine has not been probed yet
                raise SystemExit(error.read().decode()) from None
            time.sleep(0.2)
    raise SystemExit("the console does not answer")


if __name__ == "__main__":
    measure()
