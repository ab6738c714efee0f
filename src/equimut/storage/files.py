"""Files read with care and written whole or not at all; digests of texts and of code."""

import errno
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import blake2b, sha256
from importlib import metadata
from json import dumps
from pathlib import Path
from typing import IO, Any

from equimut.errors import DataError, EquimutError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TAB = "    "
"""What a tab is shown as."""
HALF_WRITTEN = ".*.tmp"
"""What `replacing` leaves of a file when its process is killed."""
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A binary file that takes the place of `path` when the block ends without an error.

    The temporary file stands in the same directory, because a rename is atomic only there.
    """
    try:
        if path.exists() and not path.is_file():
            raise DataError(f"cannot write {path}: it is there and is not a file; name another")
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    except OSError as error:
        raise DataError(
            f"cannot write {path}: {error.strerror}; choose an output in a writable directory"
        ) from error
    temporary = Path(name)
    try:
        try:
            with os.fdopen(handle, "wb") as file:
                yield file
        except OSError as error:
            if error.errno in _NO_ROOM and error.filename is None:
                raise DataError(f"cannot write {path}: {error.strerror}") from error
            raise
        temporary.chmod(0o666 & ~_umask())  # mkstemp makes it private, a plain open would not
        temporary.replace(path)
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()


def read_text(path: Path) -> str:
    """The whole of a UTF-8 file; an error says what is wrong with which file."""
    try:
        content = path.read_bytes()
        text = content.decode()
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise DataError(
            f"{path}, line {line}: not UTF-8; it is not the file it should be"
        ) from error
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise DataError(f"{path}, line {line}: holds a NUL byte; it is not a text file")
    return text


def read_toml(path: Path) -> dict[str, Any]:
    """The content of a TOML file; an error names the file."""
    try:
        return tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise EquimutError(f"{path}: not TOML: {error}") from error


def shown(text: str) -> str:
    """A line of somebody's file, in characters that can be seen and do nothing.

    Control and bidirectional characters would steer a terminal or reorder what a reader sees.
    """
    text = text.replace("\r", "").replace("\t", TAB)
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )


def counted(number: int, noun: str, many: str = "") -> str:
    """`1 mutant`, `2,000 mutants`."""
    return f"{number:,} {noun if number == 1 else many or noun + 's'}"


def shown_json(text: str) -> str:
    """JSON with the same meaning, in characters that do nothing to a terminal.

    JSON itself escapes only the oldest control characters, and only in its strings.
    """
    if text.replace("\n", "").isprintable():
        return text
    return "".join(
        char if char.isprintable() or char == "\n" else dumps(char)[1:-1] for char in text
    )


def write_bytes(path: Path, content: bytes) -> None:
    """Write a small file whole or not at all."""
    with replacing(path) as file:
        file.write(content)


def _umask() -> int:
    mask = os.umask(0)  # the only portable way to read it
    os.umask(mask)
    return mask


def digest_of(texts: Iterable[str], size: int = 16) -> bytes:
    """So many bytes that name these texts in this order; each goes in with its length."""
    digest = blake2b(digest_size=size)
    for text in texts:
        data = text.encode(errors="surrogatepass")
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.digest()


PACKAGE = Path(__file__).parent.parent
GRAMMARS = ("tree-sitter", "tree-sitter-c", "tree-sitter-java", "tree-sitter-python")
"""The libraries that every parsed text depends on."""


@cache
def code_version(folders: tuple[str, ...], libraries: tuple[str, ...] = ()) -> str:
    """Changes with every change of a file in these folders, or of these libraries' versions."""
    digest = sha256()
    for folder in folders:
        everything = sorted((PACKAGE / folder).rglob("*"))
        paths = [path for path in everything if path.is_file() and path.suffix != ".pyc"]
        if not paths:  # a folder that has moved would never change
            raise FileNotFoundError(f"no code in {PACKAGE / folder}")
        for path in paths:
            digest.update(f"{path.relative_to(PACKAGE).as_posix()}\0".encode())
            digest.update(path.read_bytes())
    for library in libraries:
        digest.update(f"{library} {metadata.version(library)}".encode())
    return digest.hexdigest()
