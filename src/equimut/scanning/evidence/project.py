"""Evidence from functions run where they stand in their project, and the tests that come of it."""

from collections.abc import Sequence
from pathlib import Path

from equimut.oracle.judging import backend_for, runnable_languages
from equimut.oracle.project import FileAnswer, FileMutant, ProjectSettings, SuggestedTest
from equimut.oracle.sandbox.runs import MissingTool
from equimut.oracle.verdicts import OracleSettings, OracleVerdict
from equimut.parsing.functions import functions
from equimut.parsing.tree import parse
from equimut.reports.reported import ReportError
from equimut.reports.sources import SourceTree
from equimut.scanning.records import Candidate
from equimut.scanning.verdict_cache import VerdictCache, answer_key
from equimut.storage.files import digest_of

MOST_FILES = 20_000
_RUN = {".py", ".java", ".class", ".jar", ".c", ".h", ".inc"}
_SKIPPED = {".git", "mutants", "node_modules", "__pycache__"}


class ProjectEvidence:
    """Runs the mutants of a file together, and keeps the tests that kill them."""

    def __init__(
        self, project: ProjectSettings, settings: OracleSettings, cache: VerdictCache, version: str
    ) -> None:
        self._project = project
        self._settings = settings
        self._cache = cache
        self._tree = SourceTree(project.root)
        self._version = f"{version} {project.model_dump_json()} {_state_of(project)}"
        self.tests: dict[str, tuple[SuggestedTest, ...]] = {}
        """File -> its tests; the mutants they kill are named by their place in the report."""
        self.dropped = 0
        self.notes: list[str] = []

    def runs(self, candidate: Candidate) -> bool:
        """Whether functions of this language can be run where they stand."""
        language = candidate.mutant.language
        return language in runnable_languages() and backend_for(language).judge_file is not None

    def is_inner(self, candidate: Candidate) -> bool:
        """Whether the change is in a function inside a function, which no test can call."""
        mutant, change = candidate.mutant, candidate.mutant.change
        assert change is not None
        try:
            source = self._tree.find(mutant.file, mutant.language)
        except ReportError:
            return False
        found = functions(parse(source.text, mutant.language))
        around = [each for each in found if each.start <= change.start_byte < each.end]
        return len(around) > 1

    def judge(self, candidates: Sequence[Candidate]) -> list[tuple[OracleVerdict, str]]:
        """Verdict and test of mutants of one file, in their order."""
        first = candidates[0].mutant
        try:
            source = self._tree.find(first.file, first.language)
        except ReportError as error:
            return [(_cannot(str(error)), "")] * len(candidates)
        mutants = []
        for candidate in candidates:
            change = candidate.mutant.change
            assert change is not None
            if source.data[change.start_byte : change.end_byte] != change.original.encode():
                return [(_cannot("the file has changed since the scan began"), "")] * len(
                    candidates
                )
            mutants.append(
                FileMutant(
                    start=change.start_byte,
                    end=change.end_byte,
                    replacement=change.replacement,
                    function=change.origin_function,
                    state=candidate.state,
                )
            )
        path = self._tree.root / source.path
        try:
            answer = self._answer(path, source.text, first.language, mutants)
        except MissingTool as error:  # not kept: it may be there the next time
            return [(_cannot(str(error)), "")] * len(candidates)
        return self._taken(source.path, candidates, answer)

    def _answer(
        self, path: Path, text: str, language: str, mutants: Sequence[FileMutant]
    ) -> FileAnswer:
        asked = [str(path), text, language, *(each.model_dump_json() for each in mutants)]
        key = answer_key("project", self._version, asked)
        known = self._cache.get(key, FileAnswer)
        if known is None:
            judge_file = backend_for(language).judge_file
            assert judge_file is not None
            known = judge_file(self._project, path, text, mutants, self._settings)
            self._cache.put(key, known)
        return known

    def _taken(
        self, file: str, candidates: Sequence[Candidate], answer: FileAnswer
    ) -> list[tuple[OracleVerdict, str]]:
        self.dropped += answer.dropped
        if answer.note and answer.note not in self.notes:
            self.notes.append(answer.note)
        texts = [""] * len(candidates)
        named = []
        for test in answer.tests:
            for place in test.kills:
                texts[place] = test.alone
            indices = tuple(candidates[place].mutant.index for place in test.kills)
            named.append(test.model_copy(update={"kills": indices}))
        if named:
            self.tests[file] = (*self.tests.get(file, ()), *named)
        return list(zip(answer.verdicts, texts, strict=True))


def _cannot(reason: str) -> OracleVerdict:
    return OracleVerdict(tier="unknown", reason=reason, fault="origin")


def _state_of(project: ProjectSettings) -> str:
    """Changes with any source or class file of the project, and with the recorded calls."""
    files: list[str] = []
    if project.calls is not None and project.calls.is_file():
        files.append(project.calls.read_text(encoding="utf-8", errors="replace"))
    listed = () if project.compile_commands is None else (project.compile_commands,)
    for folder in (project.root, *project.classpath, *project.includes, *listed):
        for path in folder.rglob("*") if folder.is_dir() else (folder,):
            if len(files) > MOST_FILES:
                break
            if (
                (path.suffix in _RUN or path in listed)
                and not _SKIPPED & set(path.parts)
                and path.is_file()
            ):
                state = path.stat()
                files.append(f"{path} {state.st_size} {state.st_mtime_ns}")
    return digest_of(sorted(files)).hex()
