"""A real browser, and the page as a person starts it, pointed at a local model."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.chat_server import ChatServer

ROOT = Path(__file__).resolve().parents[1]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
PATIENCE_MS = 60_000


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        reason = "Chromium is missing. Install it, for example: apt-get install chromium"
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(reason)
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture
def model() -> Iterator[ChatServer]:
    with ChatServer() as server:
        yield server


@pytest.fixture
def address(model: ChatServer, tmp_path: Path) -> Iterator[str]:
    """The page as a person starts it, pointed at the local model."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = (tmp_path / "page.log").open("wb")
    environment = os.environ | {"OPENAI_API_KEY": "sk-canary-7f3a", "OPENAI_BASE_URL": model.url}
    environment["CHATS_FOLDER"] = str(tmp_path / "chats")
    app = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", "streamlit_app.py", "--server.port", str(port)],
        cwd=ROOT,
        env=environment,
        stdout=log,
        stderr=subprocess.STDOUT,
    )
    try:
        _wait_for(f"http://127.0.0.1:{port}/_stcore/health")
        yield f"http://127.0.0.1:{port}"
    finally:
        app.terminate()
        app.wait(timeout=30)
        log.close()
    told = (tmp_path / "page.log").read_text(encoding="utf-8")
    assert "Traceback" not in told
    assert "missing ScriptRunContext" not in told
    assert "sk-canary" not in told


def _wait_for(url: str) -> None:
    end = time.monotonic() + 60
    while True:
        try:
            urllib.request.urlopen(url, timeout=5).close()  # noqa: S310 - our own page
            return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-US", accept_downloads=True)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(address)
    yield page
    context.close()
