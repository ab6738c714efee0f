"""PIT's Elements export: mutator, description and line, but no replacement, class or index.

Each mutant is located on its own: the order of several on a line is unknown. Only what fits one
site of the line is located, the rest is ambiguous.
"""

from functools import cached_property

from tree_sitter import Node

from equimut.errors import ParseError
from equimut.reports.locating import Located
from equimut.reports.pit.descriptors import LETTERS, declared_parameters
from equimut.reports.pit.locate import PitLocator
from equimut.reports.pit.mutation import PitMutation
from equimut.reports.positions import line_bytes
from equimut.reports.reported import ReportError
from equimut.reports.sources import SourceFile, SourceTree
from equimut.semantics.program import Program

_TYPES = frozenset(
    {"class_declaration", "interface_declaration", "enum_declaration", "record_declaration"}
)
_METHODS = ("method_declaration", "constructor_declaration")


class _OneSource(SourceTree):
    """The text that the report itself brought: no directory is needed, and none is looked at."""

    def __init__(self, source: SourceFile) -> None:
        self._source = source

    def find(self, name: str, language: str = "") -> SourceFile:
        return self._source


class PitEntries:
    """Locates mutants of one Java file by PIT's descriptions."""

    def __init__(self, source: SourceFile) -> None:
        self._source = source
        self._locator = PitLocator(_OneSource(source))

    def locate(self, line: int, mutator: str, description: str) -> Located:
        """The one place on that line which the description fits, or why there is none."""
        try:
            owner, method = self._member(line)
            descriptor = self._descriptor(method)
        except (ReportError, ParseError) as error:
            return Located(None, str(error))
        named = method.child_by_field_name("name")
        plain = named is not None and method.type == "method_declaration"
        name = self._source.tree.text(named) if named is not None and plain else "<init>"
        package, _, file = self._source.path.replace("\\", "/").rpartition("/")
        asked = PitMutation(
            position=0,
            status="",
            source_file=file,
            class_name=f"{package.replace('/', '.')}.{owner}" if package else owner,
            method=name,
            descriptor=descriptor,
            line=line,
            mutator=mutator,
            indexes=(0,),
            description=description,
            reason="",
            tests_run=None,
            killing_tests=None,
        )
        return next(iter(self._locator.locate([asked])))

    def _member(self, line: int) -> tuple[str, Node]:
        """Class, as bytecode names it, and method around the first code of a line."""
        start, end = line_bytes(self._source, line)
        text = self._source.data[start:end]
        at = start + len(text) - len(text.lstrip())
        node: Node | None = self._source.tree.root.descendant_for_byte_range(at, at + 1)
        owners: list[str] = []
        method: Node | None = None
        while node is not None:
            name = node.child_by_field_name("name")
            if node.type in _METHODS and not owners:
                method = method or node
            elif node.type in _TYPES and name is not None:
                owners.insert(0, self._source.tree.text(name))
            elif node.type in ("object_creation_expression", "lambda_expression"):
                raise ReportError(
                    "not locatable: the report does not say in which lambda or anonymous class"
                )
            node = node.parent
        if not owners or method is None:
            raise ReportError(f"not locatable: line {line} is in no method")
        return "$".join(owners), method

    def _descriptor(self, method: Node) -> str:
        """The descriptor, types of other files by their simple names."""
        kinds = declared_parameters(self._program, method)
        given = method.child_by_field_name("type")
        returned = self._source.tree.text(given).split("<")[0] if given is not None else "void"
        return f"({''.join(map(_kind, kinds))}){_kind(returned)}"

    @cached_property
    def _program(self) -> Program:
        return Program(self._source.tree)


def _kind(name: str) -> str:
    plain = name.replace("[]", "").strip()
    return "[" * name.count("[]") + LETTERS.get(plain, f"L{plain.replace('.', '/')};")
