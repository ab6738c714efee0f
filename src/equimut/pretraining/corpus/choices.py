"""Which sources a corpus is made of: the usual packages, other ones, or directories."""

import platform
from collections.abc import Callable, Sequence
from pathlib import Path

from equimut.errors import DataError
from equimut.languages import get_language
from equimut.pretraining.corpus.packages import (
    FetchedPackage,
    fetch_package,
    package_files,
)
from equimut.pretraining.corpus.sources import (
    SourceFile,
    corpus_suffixes,
    files_below,
    python_files,
    python_roots,
)


def chosen_sources(
    languages: Sequence[str] | None,
    packages: Sequence[tuple[str, str]],
    directories: Sequence[tuple[str, Path]],
    cache: Path,
    progress: Callable[[str, int, int], None] = lambda *_: None,
) -> tuple[list[FetchedPackage], list[SourceFile]]:
    """The packages and their files. What is named for a language replaces its usual packages."""
    given = [language for language, _ in (*packages, *directories)]
    wanted = list(dict.fromkeys(languages or given or corpus_suffixes()))
    for language in (*wanted, *given):
        if language not in corpus_suffixes():
            known = ", ".join(corpus_suffixes())
            raise DataError(f"no corpus for {language!r}; languages: {known}")
    fetched: list[FetchedPackage] = []
    files: list[SourceFile] = []
    for language in wanted:
        own = [name for key, name in packages if key == language]
        local = [path for key, path in directories if key == language]
        usual = get_language(language).corpus
        names = own or (() if local else usual.packages)
        for number, name in enumerate(names):
            progress(f"{language}: packages", number, len(names))
            fetched.append(fetch_package(name, language, cache))
            files += files_below(package_files(cache, name), language, name)
            progress(f"{language}: packages", number + 1, len(names))
        for path in local:
            added = _directory(path, language)
            fetched.append(_local(path.name, language, "", added))
            files += added
        if usual.of_interpreter and not own and not local:
            added = list(python_files(*python_roots()))
            fetched.append(_local(language, language, platform.python_version(), added))
            files += added
    return fetched, files


def _directory(path: Path, language: str) -> list[SourceFile]:
    if not path.is_dir():
        raise DataError(f"{path} is not a directory of {language} sources")
    found = list(files_below(path, language, path.resolve().name))
    if not found:
        raise DataError(f"{path} holds no {language} sources (tests and examples do not count)")
    return found


def _local(name: str, language: str, version: str, files: Sequence[SourceFile]) -> FetchedPackage:
    return FetchedPackage(
        name=name, language=language, version=version, sha256={}, files=len(files)
    )
