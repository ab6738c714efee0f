"""The tests that a scan suggests, as files: one for each source file."""

from pathlib import Path

from equimut.errors import EquimutError
from equimut.oracle.judging import backend_for
from equimut.reports.sources import language_name
from equimut.scanning.records import ScanResult
from equimut.storage.files import read_text, write_bytes

MARK = "written by equimut"


def write_test_files(result: ScanResult, folder: Path) -> list[Path]:
    """Write the tests of a scan; a file that somebody else wrote is never replaced."""
    made: dict[Path, str] = {}
    for file, tests in result.tests.items():
        suggested_file = backend_for(language_name(file)).suggested_file
        assert suggested_file is not None
        name, text = suggested_file(file, tests)
        made[folder / name] = text
    for path in made:
        if path.exists() and MARK not in read_text(path)[:400]:
            raise EquimutError(f"{path} is there and was not {MARK}; name another directory")
    for path, text in made.items():
        write_bytes(path, text.encode())
    return sorted(made)
