"""Published datasets into the user's cache: resumable, and only what matches its pinned sum."""

import hashlib
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from urllib.parse import quote, urlsplit

from equimut.data.published.locate import dataset_file
from equimut.data.published.pinned import PinnedDataset, PinnedFile, datasets
from equimut.errors import DataError
from equimut.storage.files import write_bytes

BASE_URL = "https://raw.githubusercontent.com"
ATTEMPTS = 3
TIMEOUT_SECONDS = 30
CHUNK = 1 << 16

Progress = Callable[[int], None]
"""Called with the number of further bytes that are here."""


class NotThere(Exception):
    """The server does not have the file under this name."""


class Unreachable(Exception):
    """The server did not answer, or stopped answering."""


def dataset_named(name: str) -> PinnedDataset:
    """A fetchable dataset, or an error that names those there are."""
    known = datasets()
    if name not in known:
        raise DataError(f"unknown dataset {name!r}; known: {', '.join(known)}")
    return known[name]


def matches(path: Path, pinned: PinnedFile) -> bool:
    """Whether a file is there and is the pinned one."""
    return (
        path.is_file()
        and path.stat().st_size == pinned.size
        and hashlib.sha256(path.read_bytes()).hexdigest() == pinned.sha256
    )


def fetch(
    dataset: PinnedDataset,
    cache: Path,
    base_url: str = BASE_URL,
    progress: Progress = lambda _: None,
) -> Path:
    """Download what the cache does not hold yet; a broken download goes on where it stopped."""
    if urlsplit(base_url).scheme not in ("http", "https"):
        raise DataError(f"cannot fetch from {base_url!r}: give an http or https address")
    directory = cache / dataset.name
    for pinned in dataset.files:
        target = directory / pinned.name
        if matches(target, pinned):
            progress(pinned.size)
            continue
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DataError(
                f"cannot make {target.parent}: {error.strerror}; choose another --cache"
            ) from error
        try:
            _download_from_any(dataset, pinned, target, base_url, progress)
        except Unreachable as error:
            raise DataError(
                f"cannot download {pinned.name} of {dataset.name} from {base_url}: {error}; "
                "run the command again to go on, or get the files elsewhere and run "
                f"`equimut data fetch {dataset.name} --from DIR`"
            ) from error
    return directory


def copy_from(dataset: PinnedDataset, source: Path, cache: Path) -> Path:
    """Take the files from a local directory; all are checked before the first is copied."""
    found = [(pinned, dataset_file(source, dataset.name, pinned.name)) for pinned in dataset.files]
    for pinned, path in found:
        if not matches(path, pinned):
            raise DataError(
                f"{path} is not the published file: its SHA-256 is not {pinned.sha256}; "
                f"take it from {dataset.repository} at commit {dataset.commit}"
            )
    for pinned, path in found:
        write_bytes(cache / dataset.name / pinned.name, path.read_bytes())
    return cache / dataset.name


def _download_from_any(
    dataset: PinnedDataset, pinned: PinnedFile, target: Path, base_url: str, progress: Progress
) -> None:
    for remote in pinned.remotes:
        path = quote(f"{dataset.repository}/{dataset.commit}/{remote}")
        with suppress(NotThere):
            _download(f"{base_url.rstrip('/')}/{path}", pinned, target, progress)
            return
    raise DataError(
        f"{base_url} has no {pinned.name} of {dataset.repository} at commit {dataset.commit}; "
        f"use `equimut data fetch {dataset.name} --from DIR` with the files"
    )


def _download(url: str, pinned: PinnedFile, target: Path, progress: Progress) -> None:
    """One file, through `target.part`; a leftover that proves wrong is thrown away once."""
    part = target.with_name(f"{target.name}.part")
    had_leftover = part.exists()
    _complete(url, pinned, part, progress)
    if not matches(part, pinned) and had_leftover:
        progress(-_size(part))
        part.unlink()
        _complete(url, pinned, part, progress)
    if not matches(part, pinned):
        part.unlink()
        raise DataError(
            f"{url} is not the published file: its SHA-256 is not {pinned.sha256}; nothing was kept"
        )
    part.replace(target)


def _complete(url: str, pinned: PinnedFile, part: Path, progress: Progress) -> None:
    """Fill the part file up to the pinned size, in as many requests as it takes, within reason."""
    progress(_size(part))
    for _ in range(ATTEMPTS):
        before = _size(part)
        if before >= pinned.size:
            return
        try:
            _request(url, pinned, part, before, progress)
        except (OSError, HTTPException) as error:
            # No byte came: the network is closed, and asking again would only take longer.
            if _size(part) <= before:
                inner = getattr(error, "reason", None) or error
                reason = getattr(inner, "strerror", None) or inner or type(inner).__name__
                raise Unreachable(str(reason)) from error
    if _size(part) < pinned.size:
        raise Unreachable(f"the connection ended after {_size(part)} of {pinned.size} bytes")


def _request(url: str, pinned: PinnedFile, part: Path, start: int, progress: Progress) -> None:
    request = urllib.request.Request(url, headers={"User-Agent": "equimut"})
    if start:
        request.add_header("Range", f"bytes={start}-")
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
            goes_on = start > 0 and response.status == 206
            if start and not goes_on:  # the server ignores ranges: from the beginning, then
                progress(-start)
            with part.open("ab" if goes_on else "wb") as file:
                # More than the file can be: the sum will refuse it.
                while file.tell() <= pinned.size and (chunk := response.read(CHUNK)):
                    file.write(chunk)
                    progress(len(chunk))
    except urllib.error.HTTPError as error:
        if error.code == 404:
            raise NotThere(url) from error
        raise Unreachable(f"the server answers {error.code} {error.reason}") from error


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
