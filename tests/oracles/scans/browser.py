"""A real browser for pages of ours: found, or fetched by `make test`; without one tests skip."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page, Playwright, expect, sync_playwright

from conftest import NO_BROWSER

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_ARGUMENTS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
_FETCH_SECONDS = 180
_PATIENCE = 120_000
"""Milliseconds that a page may take on a machine that is busy with something else."""


def started(playwright: Playwright) -> Browser:
    """The system's browser, else the one that playwright fetched; an error says what is wrong."""
    path = next(filter(None, map(shutil.which, _NAMES)), None)
    own = Path(playwright.chromium.executable_path)
    if path is None and not own.exists():
        raise FileNotFoundError(f"none of {', '.join(_NAMES)} is in PATH, and none was fetched")
    return playwright.chromium.launch(executable_path=path or own, args=_ARGUMENTS)


def opened_browser() -> Iterator[Browser]:
    """One browser, for a fixture to hand on: `yield from opened_browser()`."""
    expect.set_options(timeout=_PATIENCE)
    with sync_playwright() as playwright:
        try:
            browser = started(playwright)
        except (OSError, Error) as error:
            pytest.skip(f"{NO_BROWSER}: {str(error).splitlines()[0]}")
        yield browser
        browser.close()


class Watched:
    """A page, and what went wrong on it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        page.set_default_timeout(_PATIENCE)
        self.problems: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self._heard(message.type, message.text))
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("dialog", lambda dialog: (self.problems.append(dialog.message), dialog.dismiss()))

    def _heard(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.problems.append(text)


def ensure_browser() -> str:
    """Start a browser once, fetching one if there is none; says what it is, or what is wrong."""
    for last in (False, True):
        try:
            with sync_playwright() as playwright:
                browser = started(playwright)
                version = browser.version
                browser.close()
            return f"browser for the tests of the page: Chromium {version}"
        except (OSError, Error) as error:
            reason = str(error).splitlines()[0]
        if not last:
            print(f"{NO_BROWSER}: fetching one (playwright install chromium)", flush=True)
            command = [sys.executable, "-m", "playwright", "install", "chromium"]
            try:
                subprocess.run(command, capture_output=True, timeout=_FETCH_SECONDS, check=False)
            except subprocess.TimeoutExpired:
                reason = f"fetching one took more than {_FETCH_SECONDS} s"
    return f"WARNING: NO BROWSER, SO THE TESTS OF THE PAGE WILL BE SKIPPED: {reason}"


if __name__ == "__main__":
    print(ensure_browser())
