"""The projects whose mutants are labelled, by name: fetched, and cut into jobs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from equimut.errors import DataError
from equimut.pretraining.corpus.packages import fetch_package, package_files
from equimut.pretraining.corpus.sources import files_below, wanted_content
from equimut.pretraining.labels.prover import ProjectFile
from equimut.storage.files import read_toml

PARTS = ("train", "validation", "test")
"""In which a project is as a whole."""
HELD_OUT = "held-out"
"""Projects of which nothing may be learnt: functions like theirs are left out."""
LISTED = Path(__file__).with_name("projects.toml")


@dataclass(frozen=True)
class Project:
    """A project by the name of its package."""

    name: str
    language: str
    part: str


def listed_projects(path: Path = LISTED) -> tuple[Project, ...]:
    """The projects of a list, language by language; a project in two parts is an error."""
    found: list[Project] = []
    for language, parts in read_toml(path).items():
        for part, names in parts.items():
            if part not in (*PARTS, HELD_OUT):
                raise DataError(f"{path}: [{language}] has a part {part!r}; parts are {PARTS}")
            found += [Project(name, language, part) for name in names]
    names = [(project.language, project.name) for project in found]
    twice = sorted({name for language, name in names if names.count((language, name)) > 1})
    if twice:
        raise DataError(f"{path}: listed twice: {', '.join(twice)}")
    return tuple(found)


def fetched(
    projects: Sequence[Project],
    cache: Path,
    *,
    on_project: Callable[[Project, str], None] = lambda project, problem: None,
) -> tuple[Project, ...]:
    """The projects that are there or could be fetched; each of the others costs itself alone."""
    there = []
    for project in projects:
        try:
            fetch_package(project.name, project.language, cache)
        except DataError as error:
            on_project(project, str(error))
            continue
        on_project(project, "")
        there.append(project)
    return tuple(there)


def project_files(project: Project, cache: Path, most: int) -> Iterator[ProjectFile]:
    """Some files of a project, in an order that spreads over its folders."""
    root = package_files(cache, project.name)
    found = list(files_below(root, project.language, project.name))
    found.sort(key=lambda file: sha256(f"{project.name}/{file.path}".encode()).digest())
    taken = 0
    for file in found:
        if taken == most:
            return
        if wanted_content(file.location.read_bytes()):
            taken += 1
            program = f"{project.language}/{project.name}/{file.path}"
            yield ProjectFile(file.location, project.language, project.name, project.part, program)


def parts_of(projects: Sequence[Project]) -> Mapping[str, list[str]]:
    """Names by part, for people."""
    return {part: [each.name for each in projects if each.part == part] for part in PARTS}
