"""Chromium in front of the console, which serves a simulated machine and runs jobs at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from threading import Lock
from typing import Any

import pytest
from django.conf import settings
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.servers.basehttp import ThreadedWSGIServer
from django.db import connections
from django.test import Client
from django.test.testcases import LiveServerThread
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from accounts.models import User
from accounts.roles import SCOPES
from host.simulated import SimulatedHost
from tests.browser.chromium import CHROMIUM, QUIET
from tests.browser.diary import Diary
from tests.conftest import caller
from tests.frontend.conftest import free_disks
from tests.shares.sharing import did

# Playwright keeps an event loop in this thread, which Django would take for a mistake in async code.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"

PASSWORD = "correct horse battery"
_PATIENCE_MS = 15_000
_DIARY = pytest.StashKey[Diary]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A failure shows what pages and server did before it: some come once in many runs."""
    report = yield
    if report.failed and _DIARY in item.stash:
        report.sections.append(("What pages and server did", str(item.stash[_DIARY])))
    return report


class OneAtATime(StaticFilesHandler):
    """Answers one request after the other: the database in memory has one connection for all.

    The server has a thread for each connection all the same: a browser opens some before it needs them, and
    a server that read from one of those would answer nobody until it is used.
    """

    turn = Lock()
    diary = Diary()
    over = False  # its test has ended: whoever waited for a turn gets none

    def __call__(self, environ: dict[str, Any], start_response: Any) -> list[bytes]:  # type: ignore[override]
        asked = f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']}"
        self.diary.note(f"server reads  {asked}")
        with self.turn:
            if self.over:
                start_response("503 Service Unavailable", [])
                return []
            with closing(super().__call__(environ, self._noting(start_response, asked))) as answer:
                return [b"".join(answer)]

    def _noting(self, start_response: Callable[..., Any], asked: str) -> Callable[..., Any]:
        def start(status: str, *more: Any) -> Any:
            self.diary.note(f"server says   {status} to {asked}")
            return start_response(status, *more)

        return start


class PromptServer(ThreadedWSGIServer):
    """Ends within a twentieth of a second after it is asked to: each test waits for that."""

    def serve_forever(self, poll_interval: float = 0.05) -> None:
        super().serve_forever(poll_interval)

    def _close_connections(self) -> None:
        """The one connection is the test's: when a thread ends late, it is no longer shared."""


class ConsoleThread(LiveServerThread):
    """The console's server in a thread."""

    server_class = PromptServer


class Complaints(list[str]):
    """What the browser complained of: violations of the content security policy, errors in scripts."""

    def watch(self, page: Page) -> None:
        """Collect what `page` complains of from now on."""
        page.on("pageerror", lambda error: self.append(f"{page.url}: {error}"))
        page.on("console", lambda message: self._said(page, message.type, message.text))
        page.expose_function("complain", lambda text: self.append(f"{page.url}: {text}"))
        page.add_init_script(
            "document.addEventListener('securitypolicyviolation', (event) =>"
            " window.complain(`${event.violatedDirective} blocked ${event.blockedURI}`))"
        )

    def _said(self, page: Page, kind: str, text: str) -> None:
        # An answer that says what is wrong with a form is no fault of the page.
        if kind in {"error", "warning"} and "responded with a status of 4" not in text:
            self.append(f"{page.url}: {text}")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium without a window."""
    # As long as for clicks: at the end of a long run a worker may stand still for some seconds.
    expect.set_options(timeout=_PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield browser
        browser.close()


@pytest.fixture
def diary(request: pytest.FixtureRequest) -> Diary:
    """What pages and server do, from now on."""
    OneAtATime.diary = request.node.stash[_DIARY] = Diary()
    return OneAtATime.diary


@pytest.fixture
def console(transactional_db: None, diary: Diary) -> Iterator[str]:
    """The console's address."""
    shared = {alias: connections[alias] for alias in connections}
    thread = ConsoleThread("127.0.0.1", static_handler=OneAtATime, connections_override=shared)
    thread.daemon = True
    for connection in shared.values():
        connection.inc_thread_sharing()
    thread.start()
    thread.is_ready.wait()
    assert thread.error is None, thread.error
    yield f"http://127.0.0.1:{thread.port}"
    # What is answered now may end: its thread would take the connection of the next test.
    with OneAtATime.turn:
        vars(thread.httpd.get_app())["over"] = True
    thread.terminate()
    for connection in shared.values():
        connection.dec_thread_sharing()


@pytest.fixture
def complaints() -> Complaints:
    """Empty until a page complains."""
    return Complaints()


@pytest.fixture
def visit(
    chromium: Browser, console: str, complaints: Complaints, diary: Diary
) -> Iterator[Callable[..., Page]]:
    """Opens a new window: `visit(width=360, color_scheme="dark", java_script_enabled=False)`."""
    windows: list[BrowserContext] = []

    def visit(*, width: int = 1440, height: int = 900, **options: object) -> Page:
        window = chromium.new_context(
            base_url=console,
            viewport={"width": width, "height": height},
            **options,  # type: ignore[arg-type]
        )
        window.set_default_timeout(_PATIENCE_MS)
        windows.append(window)
        page = window.new_page()
        complaints.watch(page)
        diary.watch(page)
        return page

    yield visit
    for window in windows:
        window.close()


@pytest.fixture
def signed_in(
    visit: Callable[..., Page], console: str, simulated: SimulatedHost, admin: User
) -> Callable[..., Page]:
    """Like `visit`, signed in as an admin on the profile `home`; no page is open yet."""

    def signed_in(**options: object) -> Page:
        page = visit(**options)
        client = Client()
        with OneAtATime.turn:  # one connection for all, and the pages of another window may be asking
            client.force_login(admin)  # the form is tried where it is tested
        session = client.cookies[settings.SESSION_COOKIE_NAME].value
        page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": console}])
        return page

    return signed_in


def make_tank() -> str:
    """Create `tank`, raidz2 of all free disks, as the first job; the address of its page.

    Through the API: to click through it takes ten times as long, and has its own tests (`test_first_hour`).
    """
    with OneAtATime.turn:
        api = caller(User.objects.get(username="admin"), *SCOPES)
        body = {"name": "tank", "vdevs": [{"role": "data", "layout": "raidz2", "disks": free_disks()}]}
        return f"/jobs/{did(api.post('/api/v1/pools/', body))['id']}/"


def make_people(page: Page) -> None:
    """Create the group `family`, and `anna` in it with a password, by clicking."""
    page.goto("/create/group/")
    page.get_by_label("Name", exact=True).fill("family")
    page.get_by_role("button", name="Review changes").click()
    page.get_by_role("button", name="Create the group family").click()
    page.get_by_role("link", name="Open family").wait_for()
    page.goto("/create/person/")
    page.get_by_label("User name").fill("anna")
    page.get_by_label("Full name").fill("Anna Berg")
    page.get_by_label("Password", exact=True).fill("words of anna")
    page.get_by_label("Confirm password").fill("words of anna")
    page.get_by_label("family").check()
    page.get_by_role("button", name="Review changes").click()
    page.get_by_role("button", name="Create anna").click()
    page.get_by_role("link", name="Open anna").wait_for()


def make_share(page: Page) -> None:
    """Share a new folder `tank/films` with `anna`, and by NFS with a network, by clicking."""
    page.goto("/share/folder/")
    page.get_by_label("Name of the folder").fill("films")
    page.get_by_role("radio", name="Media").check()
    page.get_by_role("radiogroup", name="anna").get_by_label("read and write").check()
    page.get_by_text("Comment and NFS").click()
    page.get_by_label("Host, address or network").fill("192.168.1.0/24")
    page.get_by_role("button", name="Review changes").click()
    page.get_by_role("button", name="Create tank/films and share it as films").click()
    page.get_by_role("link", name="Connect to films").wait_for()
