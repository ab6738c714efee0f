"""Which part of a report is judged: files by pattern, functions that a diff touches."""

import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from equimut.errors import DataError, EquimutError
from equimut.reports.reported import ReportedMutant
from equimut.storage.files import read_text

Lines = tuple[tuple[int, int], ...]
"""First and last line of each place that changed, in the file as it is now."""
WHOLE: Lines = ((1, 1 << 60),)


@dataclass(frozen=True)
class Scope:
    """What a mutant must lie in to be judged."""

    patterns: tuple[str, ...] = ()
    """Of files, such as `src/*.py`; none means all."""
    changed: Mapping[PurePosixPath, Lines] | None = None
    """Files below `root` that changed, and where; None means all."""
    root: Path | None = None
    """Where the paths of the changes start; the sources are looked up there."""
    source: Path | None = None
    """Where the paths of the report start."""
    words: str = ""
    """What is judged, for a note."""
    _found: dict[str, Lines] = field(default_factory=dict, compare=False, repr=False)

    def covers(self, mutant: ReportedMutant) -> bool:
        """Whether a mutant is judged."""
        if self.patterns and not any(_matches(mutant.file, each) for each in self.patterns):
            return False
        if self.changed is None:
            return True
        if mutant.file not in self._found:
            self._found[mutant.file] = self._lines(mutant.file)
        first, last = _span(mutant)
        return any(start <= last and first <= end for start, end in self._found[mutant.file])

    def _lines(self, name: str) -> Lines:
        """Where a file of the report changed: the same file, or the only one that ends like it."""
        assert self.changed is not None
        if self.root is not None and self.source is not None:
            place = (self.source / name).resolve()
            if place.is_file() and place.is_relative_to(self.root.resolve()):
                inside = PurePosixPath(place.relative_to(self.root.resolve()).as_posix())
                return self.changed.get(inside, ())
        parts = PurePosixPath(name.replace("\\", "/")).parts
        alike = [lines for path, lines in self.changed.items() if _same_end(path.parts, parts)]
        return tuple(place for lines in alike for place in lines)


def make_scope(
    source: Path | None,
    *,
    only: Iterable[str] = (),
    since: str | None = None,
    diff: Path | None = None,
) -> Scope | None:
    """The scope that a user asks for; None for the whole report."""
    patterns = tuple(only)
    if since is not None and diff is not None:
        raise EquimutError("--since and --diff both say what changed; give one of them")
    words = [f"files like {' or '.join(patterns)}"] if patterns else []
    if since is not None:
        place = source if source is not None and source.is_dir() else Path.cwd()
        root, changed = _since(place, since)
        words.append(f"functions touched since {since}")
        return Scope(patterns, changed, root, source or place, ", ".join(words))
    if diff is not None:
        words.append(f"functions touched by {diff}")
        return Scope(patterns, read_diff(read_text(diff), str(diff)), None, None, ", ".join(words))
    return Scope(patterns, words=words[0]) if patterns else None


def read_diff(text: str, name: str) -> dict[PurePosixPath, Lines]:
    """The places of the new files that a unified diff touches.

    Where lines are only removed, that is the lines on either side of the gap.
    """
    from unidiff.errors import UnidiffParseError
    from unidiff.patch import PatchSet

    try:
        patch = PatchSet(text)
    except UnidiffParseError as error:
        raise DataError(f"{name}: not a unified diff: {error}") from error
    if not patch and text.strip():
        raise DataError(f"{name}: not a unified diff; make one with `git diff`")
    found: dict[PurePosixPath, list[tuple[int, int]]] = {}
    for file in patch:
        # Not `is_removed_file`: that also holds where only the first lines are removed.
        if file.target_file == "/dev/null":
            continue
        places = found.setdefault(PurePosixPath(file.path), [])
        for hunk in file:
            # Where nothing is new, the number is that of the line before the gap.
            position = hunk.target_start + (hunk.target_length == 0)
            for line in hunk:
                if line.is_removed:
                    _touch(places, position - 1, position)
                elif line.target_line_no is not None:
                    position = line.target_line_no + 1
                    if line.is_added:
                        _touch(places, position - 1, position - 1)
    return {path: tuple(places) for path, places in found.items()}


def _touch(places: list[tuple[int, int]], first: int, last: int) -> None:
    if places and first <= places[-1][1] + 1:
        places[-1] = (places[-1][0], max(last, places[-1][1]))
    else:
        places.append((first, last))


def _since(place: Path, revision: str) -> tuple[Path, dict[PurePosixPath, Lines]]:
    """The root of the repository, and what differs there from where a branch left a revision."""
    if revision.startswith("-"):
        raise EquimutError(f"--since {revision}: not a revision")
    root = Path(_git(place, "rev-parse", "--show-toplevel").strip())
    commit = _git(place, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").strip()
    base = _git(place, "merge-base", commit, "HEAD").strip()
    text = _git(root, "diff", "--no-color", "--no-ext-diff", "--unified=0", "--no-renames",
                "--src-prefix=a/", "--dst-prefix=b/", base, "--")  # fmt: skip
    changed = read_diff(text, f"git diff {revision}")
    for name in _git(root, "ls-files", "--others", "--exclude-standard", "-z").split("\0"):
        if name:
            changed[PurePosixPath(name)] = WHOLE
    return root, changed


def _git(place: Path, *arguments: str) -> str:
    command = ["git", "-c", "core.quotePath=false", "-C", str(place), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, check=False)
    except OSError as error:
        raise EquimutError(f"--since asks git, which cannot be run: {error.strerror}") from error
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().split("\n")[-1]
        raise EquimutError(f"--since: git {arguments[0]} in {place}: {said or 'no such revision'}")
    return done.stdout.decode(errors="replace")


def _matches(name: str, pattern: str) -> bool:
    """A pattern is for the whole path, or for the end of it, as in .gitignore."""
    path = name.replace("\\", "/")
    return fnmatchcase(path, pattern) or fnmatchcase(path, f"*/{pattern}")


def _span(mutant: ReportedMutant) -> tuple[int, int]:
    """The lines of the function of a mutant, or of the mutant itself."""
    change = mutant.change
    if change is not None:
        first = change.start_line
        return first, first + change.origin_function.rstrip("\n").count("\n")
    first = mutant.line or 1
    return first, max(first, mutant.end_line or first)


def _same_end(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    size = min(len(one), len(other))
    return size > 0 and one[-size:] == other[-size:]
