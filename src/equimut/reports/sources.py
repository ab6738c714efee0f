"""The one place where source files that a report names are opened, never outside the root."""

import os
import re
import stat
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import accumulate
from pathlib import Path, PurePosixPath

from equimut.errors import ParseError
from equimut.languages import LANGUAGES, LanguageSpec
from equimut.parsing.functions import Function, functions
from equimut.parsing.tree import MAX_BYTES, SyntaxTree, parse
from equimut.reports.reported import ReportError

_OTHER_SUFFIXES = {
    ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript", ".jsx": "javascript",
    ".ts": "typescript", ".mts": "typescript", ".tsx": "typescript", ".vue": "vue",
    ".cs": "csharp", ".scala": "scala", ".kt": "kotlin", ".groovy": "groovy", ".php": "php",
    ".rs": "rust", ".go": "go", ".rb": "ruby", ".swift": "swift",
    ".cc": "cpp", ".cpp": "cpp", ".cxx": "cpp", ".hpp": "cpp",
}  # fmt: skip
_OTHER_NAMES = {
    "cs": "csharp", "c#": "csharp", "c++": "cpp", "js": "javascript", "ts": "typescript",
    "tsx": "typescript", "jsx": "javascript", "py": "python", "python3": "python", "rs": "rust",
}  # fmt: skip


def language_name(file: str, stated: str = "") -> str:
    """A file's language: what the report states, else what the suffix stands for, else unknown."""
    name = stated.strip().lower()
    if name:
        return _OTHER_NAMES.get(name, name)
    suffix = PurePosixPath(file.replace("\\", "/")).suffix.lower()
    for language in LANGUAGES.values():
        if suffix in language.suffixes:
            return language.name
    return _OTHER_SUFFIXES.get(suffix, suffix.lstrip(".") or "unknown")


def grammar_for(name: str) -> LanguageSpec | None:
    """The language of that name, if it can be parsed here."""
    return LANGUAGES.get(name)


KEPT_FILES = 32
KEPT_BYTES = 8 * 1024 * 1024
"""Parsed files kept at a time; a tree takes about twenty times the memory of its text."""
MAX_INDEXED = 500_000
"""Files listed for lookup by the end of their path."""

_NOT_SOURCES = frozenset(
    {".git", ".hg", ".svn", ".venv", "node_modules", "__pycache__", "mutants", "mutants.out"}
)
"""Not searched for a file by its name; the last two hold copies that mutation tools make."""
_CODING = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_DRIVE = re.compile(r"^[A-Za-z]:")


@dataclass(frozen=True, eq=False)
class SourceFile:
    """A source text and, on demand, its syntax tree."""

    path: str
    """Relative to the source root, or as in the report if the report brought the text."""
    text: str
    language: str
    encoding: str = "utf-8"
    """How the bytes were read; `latin-1` if nothing else fitted."""

    @cached_property
    def data(self) -> bytes:
        """The text in UTF-8: what all byte offsets refer to."""
        return self.text.encode(errors="replace")

    @cached_property
    def line_starts(self) -> list[int]:
        """The byte offset of each line's start."""
        return [*accumulate((len(line) + 1 for line in self.data.split(b"\n")[:-1]), initial=0)]

    def line(self, byte: int) -> int:
        """The line (1-based) of a byte offset."""
        return bisect_right(self.line_starts, byte)

    @property
    def tree(self) -> SyntaxTree:
        """The syntax tree; ParseError if the language has no grammar or the text no sense."""
        if isinstance(self._parsed, str):
            raise ParseError(self._parsed)
        return self._parsed

    @cached_property
    def functions(self) -> tuple[Function, ...]:
        """All functions, in the order of the text."""
        return functions(self.tree)

    @cached_property
    def _parsed(self) -> SyntaxTree | str:
        # A failure is kept too: giving up on a text may take seconds, for each of its mutants.
        spec = grammar_for(self.language)
        if spec is None:
            return f"language not supported: {self.language}"
        try:
            return parse(self.data, spec)
        except ParseError as error:
            return str(error)


class SourceTree:
    """The sources under one directory, found by the paths that reports use."""

    def __init__(self, root: Path) -> None:
        if not root.is_dir():
            raise ReportError(f"{root}: no such directory; give --source the root of the sources")
        self.root = root.resolve()
        self._kept: OrderedDict[tuple[str, str], SourceFile] = OrderedDict()
        self._found: OrderedDict[str, Path | str] = OrderedDict()

    def __reduce__(self) -> "tuple[Callable[[Path], SourceTree], tuple[Path]]":
        """In another process it is one again, however often it is sent there."""
        return _tree_at, (self.root,)

    def find(self, name: str, language: str = "") -> SourceFile:
        """The source file that a report calls `name`.

        Tried in this order: the path below the root; the path without its first parts, where
        those are the last parts of the root itself; any one file whose path ends like that
        (`org/example/Foo.java` in whatever source folder). ReportError: why there is none.
        """
        path = self._resolved(name)
        relative = path.relative_to(self.root).as_posix()
        key = relative, language
        kept = self._kept.get(key)
        if kept is None:
            text, encoding = _decoded(_content(self.root, relative), relative)
            kept = SourceFile(relative, text, language_name(relative, language), encoding)
            self._keep(key, kept)
        self._kept.move_to_end(key)
        return kept

    def has(self, name: str) -> bool:
        """Whether the path of any file ends like this."""
        parts = PurePosixPath(name)
        return any(_ends_with(path, parts) for path in self._by_name.get(parts.name, []))

    def text_of(self, name: str) -> str | None:
        """The text of the one file whose path ends like this; None if there is none, or several."""
        parts = PurePosixPath(name)
        fitting = [path for path in self._by_name.get(parts.name, []) if _ends_with(path, parts)]
        try:
            return self.find(fitting[0]).text if len(fitting) == 1 else None
        except ReportError:
            return None

    def _keep(self, key: tuple[str, str], source: SourceFile) -> None:
        self._kept[key] = source
        size = sum(len(kept.text) for kept in self._kept.values())
        while len(self._kept) > 1 and (len(self._kept) > KEPT_FILES or size > KEPT_BYTES):
            _, dropped = self._kept.popitem(last=False)
            size -= len(dropped.text)

    def _resolved(self, name: str) -> Path:
        """Where the file is; answers are kept, because thousands of mutants ask the same."""
        known = self._found.get(name)
        if known is None:
            try:
                known = self._search(name)
            except ReportError as error:
                known = str(error)
            self._found[name] = known
            if len(self._found) > 10_000:
                self._found.popitem(last=False)
        if isinstance(known, str):
            raise ReportError(known)
        return known

    def _search(self, name: str) -> Path:
        relative = self._inside(name)
        shorter = [
            PurePosixPath(*relative.parts[length:])
            for length in range(1, len(relative.parts))
            if relative.parts[:length] == self.root.parts[-length:]
        ]
        for candidate in [relative, *shorter]:
            path = self.root / candidate
            if _is_file(path):
                return self._checked(path, name)
        fitting = [
            path for path in self._by_name.get(relative.name, []) if _ends_with(path, relative)
        ]
        if len(fitting) == 1:
            return self._checked(self.root / fitting[0], name)
        if fitting:
            shown = ", ".join(sorted(fitting)[:3])
            raise ReportError(f"ambiguous: {len(fitting)} files fit {_shown(name)}: {shown}")
        raise ReportError(f"file not found under source root: {_shown(name)}")

    def _inside(self, name: str) -> PurePosixPath:
        """The name as a relative path, or a refusal: nothing outside the root is looked at."""
        if not name or "\0" in name:
            raise ReportError(f"file not found under source root: {_shown(name)} is no path")
        path = PurePosixPath(name)
        if "\\" in name and not _is_file(self.root / path):
            path = PurePosixPath(name.replace("\\", "/"))
        if ".." in path.parts:
            raise ReportError(f"refused: {_shown(name)} leads out of the source root")
        if path.is_absolute():
            try:
                path = path.relative_to(self.root.as_posix())
            except ValueError:
                raise ReportError(f"refused: {_shown(name)} is outside the source root") from None
        elif _DRIVE.match(str(path)):
            raise ReportError(f"refused: {_shown(name)} is outside the source root")
        return path

    def _checked(self, path: Path, name: str) -> Path:
        """The path without symbolic links, if it still is below the root."""
        try:
            real = path.resolve(strict=True)
        except (OSError, RuntimeError):  # RuntimeError: links in a circle
            raise ReportError(f"file not found under source root: {_shown(name)}") from None
        if not real.is_relative_to(self.root):
            raise ReportError(f"refused: {_shown(name)} is a link out of the source root")
        return real

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        """Relative paths of all files by their last part; links to directories are not followed."""
        found: dict[str, list[str]] = {}
        count = 0
        for folder, folders, files in os.walk(self.root):
            folders[:] = sorted(name for name in folders if name not in _NOT_SOURCES)
            prefix = Path(folder).relative_to(self.root)
            for name in files:
                found.setdefault(name, []).append((prefix / name).as_posix())
            count += len(files)
            if count > MAX_INDEXED:
                break
        return found


@cache
def _tree_at(root: Path) -> SourceTree:
    return SourceTree(root)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name too long, or with characters no file can have
        return False


def _ends_with(path: str, relative: PurePosixPath) -> bool:
    return PurePosixPath(path).parts[-len(relative.parts) :] == relative.parts


def _shown(name: str) -> str:
    """An untrusted path, fit for one line of a terminal."""
    text = "".join(char if char.isprintable() else "?" for char in name)
    return repr(text if len(text) <= 200 else f"...{text[-200:]}")


def _content(root: Path, shown: str) -> bytes:
    """The bytes of a regular file below the root: not of a pipe or a device.

    The path is known to have no links; one put there meanwhile, for the file or a folder above it,
    is not followed.
    """
    try:
        descriptor = _opened(root, PurePosixPath(shown))
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise ReportError(f"not readable: {_shown(shown)} is not a regular file")
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise ReportError(f"not readable: {_shown(shown)}: {error.strerror}") from None
    if len(content) > MAX_BYTES:
        raise ReportError(f"not readable: {_shown(shown)} is over the limit of {MAX_BYTES:,} bytes")
    return content


def _opened(root: Path, relative: PurePosixPath) -> int:
    """The descriptor of a file, each part of its path opened from the one before."""
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for part in relative.parts[:-1]:
            inner = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
            os.close(folder)
            folder = inner
        return os.open(relative.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    finally:
        os.close(folder)


def _decoded(content: bytes, shown: str) -> tuple[str, str]:
    """Text and encoding: byte order mark, UTF-8, Python's coding line, else Latin-1.

    Latin-1 never fails and keeps one column per byte, as in every one-byte encoding; only the
    letters inside strings and comments may come out wrong.
    """
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings = ["utf-16"]
    else:
        lines = content.split(b"\n", 2)[:2]
        stated = [match[1].decode() for line in lines if (match := _CODING.match(line))]
        encodings = ["utf-8-sig", *stated, "latin-1"]
    for encoding in encodings:
        try:
            text = content.decode(encoding)
        except (UnicodeError, LookupError):
            continue
        if "\0" in text:
            raise ReportError(f"not readable: {_shown(shown)} is binary, it holds NUL bytes")
        return text, encoding
    raise ReportError(f"not readable: {_shown(shown)} is neither UTF-8 nor UTF-16 text")
