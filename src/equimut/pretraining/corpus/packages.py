"""The packages of the corpus: fetched by name, unpacked to their source files, recorded."""

import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path, PurePosixPath

from equimut.errors import DataError
from equimut.languages import get_language
from equimut.pretraining.corpus.apt import Apt
from equimut.pretraining.corpus.sources import MAX_FILE_BYTES, wanted_path
from equimut.records import Record
from equimut.storage.files import write_bytes
from equimut.storage.jsonl import read_document
from equimut.storage.user_cache import cache_directory

_RECORD = "package.json"
_ARCHIVES = (".zip", ".tar.xz", ".tar.gz", ".tar.bz2")


class FetchedPackage(Record):
    """What was fetched: enough to tell whether two corpora come from the same sources."""

    name: str
    language: str
    version: str
    sha256: dict[str, str]
    """By the name of each downloaded file that sources were taken from."""
    files: int


def corpus_directory() -> Path:
    """Where packages and corpora live, beside the fetched datasets."""
    return cache_directory("corpus")


def fetch_package(name: str, language: str, cache: Path) -> FetchedPackage:
    """Download and unpack one package, unless it is there; a stopped fetch starts this one anew."""
    folder = cache / "packages" / name
    there = _read_record(folder)
    if there is not None and there.language == language:
        return there
    work = cache / "packages" / f".{name}.part"
    shutil.rmtree(work, ignore_errors=True)
    if get_language(language).corpus.of_interpreter:
        downloads = archives = _wheels(name, work / "download")
    else:
        is_source = not name.endswith("-source")
        downloads = Apt(cache / "apt").download(name, work / "download", source=is_source)
        archives = _archives(downloads, work)
    number = sum(_unpack(archive, language, work / "files") for archive in archives)
    if not number:
        raise DataError(f"package {name} holds no {language} source files; name another")
    fetched = FetchedPackage(
        name=name,
        language=language,
        version=_version(downloads),
        sha256={path.name: sha256(path.read_bytes()).hexdigest() for path in downloads},
        files=number,
    )
    write_bytes(work / _RECORD, fetched.model_dump_json(indent=2).encode() + b"\n")
    shutil.rmtree(work / "download")
    shutil.rmtree(folder, ignore_errors=True)
    work.rename(folder)  # the record is there only when the files are
    return fetched


def package_files(cache: Path, name: str) -> Path:
    """The directory of a fetched package's source files."""
    return cache / "packages" / name / "files"


def _read_record(folder: Path) -> FetchedPackage | None:
    try:
        return read_document(folder / _RECORD, FetchedPackage)
    except DataError:
        return None


def _wheels(name: str, into: Path) -> list[Path]:
    """A project of the interpreter's package index, as a wheel: nothing of it is run."""
    into.mkdir(parents=True, exist_ok=True)
    options = ("--quiet", "--no-deps", "--only-binary", ":all:", "--dest", str(into))
    command = [sys.executable, "-m", "pip", "download", *options, name]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = sorted(into.glob("*.whl"))
    if done.returncode or not found:
        reason = (done.stderr.strip().splitlines() or ["no wheel"])[-1]
        raise DataError(f"pip cannot get {name}: {reason}; name another project")
    return found


def _archives(downloads: list[Path], work: Path) -> list[Path]:
    """The archives that hold sources: those inside a binary package, or the upstream ones."""
    packages = [path for path in downloads if path.suffix == ".deb"]
    if not packages:
        return [
            path for path in downloads if ".orig" in path.name and path.name.endswith(_ARCHIVES)
        ]
    program = shutil.which("dpkg-deb")
    if program is None:
        raise DataError("dpkg-deb is not on the PATH: Debian packages are unpacked by it")
    for package in packages:
        subprocess.run([program, "-x", package, work / "download" / "root"], check=True)
    inside = (work / "download" / "root").rglob("*")
    return sorted(path for path in inside if path.is_file() and path.name.endswith(_ARCHIVES))


def _version(downloads: list[Path]) -> str:
    """`name_version_all.deb`, `name_version.dsc`, `name-version-...whl`; `%3a` stands for `:`."""
    if downloads[0].suffix == ".whl":
        return downloads[0].stem.split("-")[1]
    named = next(path for path in downloads if path.suffix in (".deb", ".dsc"))
    return named.stem.split("_")[1].replace("%3a", ":")


def _unpack(archive: Path, language: str, target: Path) -> int:
    """Write the wanted files of an archive below a directory; says how many."""
    number = 0
    for name, content in _members(archive, language):
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts:
            raise DataError(f"{archive.name} holds {name!r}, a path that leads out of it")
        write_bytes(target / path, content)
        number += 1
    return number


def _members(archive: Path, language: str) -> Iterator[tuple[str, bytes]]:
    try:
        if archive.suffix in (".zip", ".whl"):
            with zipfile.ZipFile(archive) as zipped:
                for info in zipped.infolist():
                    if info.file_size <= MAX_FILE_BYTES and wanted_path(info.filename, language):
                        yield info.filename, zipped.read(info)
            return
        with tarfile.open(archive, "r|*") as tape:
            for member in tape:
                fits = member.isfile() and member.size <= MAX_FILE_BYTES
                file = (
                    tape.extractfile(member)
                    if fits and wanted_path(member.name, language)
                    else None
                )
                if file is not None:
                    yield member.name, file.read()
    except (tarfile.TarError, zipfile.BadZipFile, EOFError) as error:
        raise DataError(
            f"{archive.name} is not a whole archive ({error}); fetch it again"
        ) from error
