"""Debian packages by name, through apt, without touching the system's own state.

Lists and downloads live in a directory of ours, so neither root nor a `deb-src` line is needed:
the sources are asked for from where the system gets its packages.
"""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from equimut.errors import DataError
from equimut.storage.files import write_bytes

_TARGET = "$(REPO_URI) $(RELEASE) $(COMPONENT) $(ORIGIN)"
_ORIGINS = ("Debian", "Ubuntu")
_KEYRINGS = Path("/usr/share/keyrings")
_TIMEOUT_SECONDS = 1800


@dataclass(frozen=True)
class Apt:
    """apt-get with lists, cache and sources of its own below one directory."""

    directory: Path

    def update(self) -> None:
        """Read the lists of packages and source packages, unless they are there."""
        sources = self.directory / "sources.list"
        if sources.exists():
            return
        for folder in ("lists/partial", "cache/archives/partial"):
            (self.directory / folder).mkdir(parents=True, exist_ok=True)
        targets = self._targets([])
        if not targets:  # a system that never read its lists: read them into our directory
            self._run("update", *self._own(sources=False))
            targets = self._targets(self._own(sources=False))
        if not targets:
            raise DataError(
                "apt knows no Debian archive; add one to the system's apt sources "
                "or give source directories with --directory"
            )
        lines = [line for target in targets for line in _source_lines(target)]
        wanted = self.directory / "wanted.list"
        write_bytes(wanted, ("\n".join(lines) + "\n").encode())
        self._run("update", *self._own(sources=wanted))
        wanted.replace(sources)  # only now: a failed update is tried again

    def download(self, name: str, into: Path, *, source: bool) -> list[Path]:
        """Download a package, or the sources of one, into a directory; apt checks signatures."""
        self.update()
        into.mkdir(parents=True, exist_ok=True)
        command = ["source", "--download-only"] if source else ["download"]
        self._run(*self._own(), *command, name, cwd=into)
        return sorted(path for path in into.iterdir() if path.is_file())

    def _own(self, sources: bool | Path = True) -> list[str]:
        root = self.directory.resolve()
        options = {
            "Dir::State::lists": root / "lists",
            "Dir::Cache": root / "cache",
            "APT::Sandbox::User": "root" if os.geteuid() == 0 else "",
        }
        if sources:
            path = sources if isinstance(sources, Path) else root / "sources.list"
            options |= {"Dir::Etc::sourcelist": path.resolve(), "Dir::Etc::sourceparts": "-"}
        return [part for key, value in options.items() for part in ("-o", f"{key}={value}")]

    def _targets(self, options: list[str]) -> list[list[str]]:
        asked = ["indextargets", "--format", _TARGET, "Created-By: Packages"]
        rows = [line.split() for line in self._run(*options, *asked).splitlines()]
        return [row for row in rows if len(row) == 4 and row[3] in _ORIGINS]

    def _run(self, *arguments: str, cwd: Path | None = None) -> str:
        program = shutil.which("apt-get")
        if program is None:
            raise DataError(
                "apt-get is not on the PATH: packages are fetched by it; "
                "give source directories with --directory instead"
            )
        try:
            done = subprocess.run(
                [program, "-q", *arguments],
                cwd=cwd,
                capture_output=True,
                text=True,
                timeout=_TIMEOUT_SECONDS,
                check=False,
                env={**os.environ, "LC_ALL": "C"},
            )
        except subprocess.TimeoutExpired as error:
            raise DataError(
                f"apt-get {arguments[-1]} took too long; run the command again"
            ) from error
        said = [line for line in done.stderr.splitlines() if line.startswith(("E:", "Err:"))]
        if done.returncode or said:
            reason = said[-1].partition(" ")[2] if said else f"exit code {done.returncode}"
            raise DataError(
                f"apt-get cannot get {arguments[-1]}: {reason}; check the network and run the "
                "command again to go on, or give source directories with --directory"
            )
        return done.stdout


def _source_lines(target: list[str]) -> list[str]:
    uri, release, component, origin = target
    keyring = _KEYRINGS / f"{origin.lower()}-archive-keyring.gpg"
    signed = f"[signed-by={keyring}] " if keyring.exists() else ""
    return [f"{kind} {signed}{uri} {release} {component}" for kind in ("deb", "deb-src")]
