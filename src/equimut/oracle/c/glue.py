"""What stands around a C file of a project: calls of its functions, tables of types, tokens."""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from equimut.oracle.c.debug_info import CFile, CFunction, CType

FILE_TYPES = ("FILE", "struct _IO_FILE")
MOST_PARAMETERS = 24
LETTERS = {"float": "f", "bool": "b", "pointer": "p", "array": "a", "struct": "s", "union": "n",
           "function": "F", "void": "v", "opaque": "o"}  # fmt: skip
LONGEST_NAME = 63
LARGEST_RESULT = 65_536
Recipe = Any
"""A number; a list of members or elements; None; or one of the makers of pointers, a mapping:
`array`, `text` (with `room`), `bytes`, `function`, `made` or `init` (with `args`, `then`), `file`.
"""


def is_file(type_: CType) -> bool:
    """Whether a type is that of the standard library's streams."""
    return type_.name in FILE_TYPES


@dataclass
class Glue:
    """The functions and variables of a file that the harness can name, and their types."""

    file: CFile
    _numbers: dict[int, int] = field(default_factory=dict)
    _types: list[CType] = field(default_factory=list)

    @cached_property
    def functions(self) -> tuple[CFunction, ...]:
        """Those that can be called; their places are their numbers."""
        return tuple(each for each in self.file.functions if not trouble_with(each))

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The number of each function."""
        return {each.name: number for number, each in enumerate(self.functions)}

    @cached_property
    def variables(self) -> tuple[tuple[str, CType], ...]:
        """Variables of the file that can change."""
        return tuple((name, type_) for name, type_ in self.file.variables if not type_.const)

    def _number(self, type_: CType) -> int:
        if id(type_) not in self._numbers:
            self._numbers[id(type_)] = len(self._types)
            self._types.append(type_)
            if type_.target is not None:
                self._number(type_.target)
            for member in () if is_file(type_) else type_.fields:
                self._number(member.type)
        return self._numbers[id(type_)]

    @cached_property
    def tables(self) -> str:
        """The types, functions and variables as the harness reads them."""
        rows = []
        for each in self.functions:
            types = [self._number(type_) for _, type_ in each.parameters]
            rows.append(f"function {self._number(each.result)} {len(types)} "
                        f"{' '.join(map(str, types))}")  # fmt: skip
        for name, type_ in self.variables:
            rows.append(f"variable {self._number(type_)} {name}")
        types_ = (self._row(type_) for type_ in self._types)
        return "".join(f"{row}\n" for row in [*types_, *rows])

    def _row(self, type_: CType) -> str:
        letter = _letter(type_)
        target = 0 if type_.target is None else self._number(type_.target)
        members = [] if letter not in "sn" else members_of(type_)
        count = len(members) if letter in "sn" else type_.count
        shown = (
            f"{each.name[:LONGEST_NAME]} {each.offset} {self._number(each.type)} "
            f"{each.bits} {each.first_bit}"
            for each in members
        )
        return " ".join([letter, str(type_.size), str(target), str(count), *shown])

    def driver(self, title: str) -> str:
        """The text that includes a version of the file and calls what is in it."""
        calls = "".join(
            f"case {number}: {_call(each)} break;\n" for number, each in enumerate(self.functions)
        )
        functions = "".join(
            f"case {number}: return (void *){each.name};\n"
            for number, each in enumerate(self.functions)
        )
        variables = "".join(
            f"case {number}: return (void *)&{name};\n"
            for number, (name, _) in enumerate(self.variables)
        )
        return (
            f'#define main equimut_program\n#include "{title}"\n#undef main\n'
            "extern char __executable_start[], __data_start[], _end[];\n"
            "void equimut_invoke(int function, void **arguments, void *result) {\n"
            f"switch (function) {{\n{calls}}}\n}}\n"
            "void *equimut_function(int number) {\n"
            f"switch (number) {{\n{functions}}}\nreturn 0;\n}}\n"
            "void *equimut_variable(int number) {\n"
            f"switch (number) {{\n{variables}}}\nreturn 0;\n}}\n"
            "int main(int count, char **words) {\n"
            "return equimut_main(count, words, __executable_start, __data_start, _end);\n}\n"
        )

    def tokens(self, number: int, row: Sequence[Recipe]) -> str:
        """One input: a function and its arguments."""
        parameters = self.functions[number].parameters
        parts = [str(number)]
        for (_, type_), recipe in zip(parameters, row, strict=True):
            parts += self._tokens(type_, recipe)
        return " ".join(parts)

    def _tokens(self, type_: CType, recipe: Recipe) -> list[str]:
        match type_.kind:
            case "float":
                return [struct.pack(">d", recipe).hex()]
            case "pointer":
                return self._pointer_tokens(type_, recipe)
            case "array":
                return [token for each in recipe for token in self._tokens(type_.pointee, each)]
            case "struct" | "union":
                pairs = zip(members_of(type_), recipe, strict=True)
                return [token for each, part in pairs for token in self._tokens(each.type, part)]
            case "function" | "void" | "opaque":
                return []
        return [str(int(recipe))]

    def _pointer_tokens(self, type_: CType, recipe: Recipe) -> list[str]:
        match recipe:
            case None:
                return ["-"]
            case {"array": items}:
                parts = [token for each in items for token in self._tokens(type_.pointee, each)]
                return [f"[{len(items)}", *parts]
            case {"text": text, "room": room}:
                return [f"s{text.encode('latin-1').hex()}", str(room)]
            case {"bytes": text}:
                return [f"x{text.encode('latin-1').hex()}"]
            case {"file": text}:
                return [f"~{text.encode('latin-1').hex()}"]
            case {"function": name}:
                return [f"={self.numbers[name]}"]
        word, mark = ("made", "!") if "made" in recipe else ("init", "%")
        tokens = [f"{mark}{self.numbers[recipe[word]]}"]
        first = 0 if word == "made" else 1
        tokens += self._arguments(recipe[word], recipe["args"], first)
        tokens.append(str(len(recipe["then"])))
        for name, arguments in recipe["then"]:
            tokens += [str(self.numbers[name]), *self._arguments(name, arguments, 1)]
        return tokens

    def _arguments(self, name: str, arguments: Sequence[Recipe], first: int) -> list[str]:
        parameters = self.functions[self.numbers[name]].parameters[first:]
        pairs = zip(parameters, arguments, strict=True)
        return [token for (_, type_), each in pairs for token in self._tokens(type_, each)]


def members_of(type_: CType) -> Sequence[Any]:
    """The members of a structure; of a union, the first."""
    return type_.fields if type_.kind == "struct" else type_.fields[:1]


def trouble_with(function: CFunction) -> str:
    """Why a function cannot be called from outside; empty where it can."""
    if function.trouble:
        return function.trouble
    if function.name == "main":
        return "it is the program"
    if len(function.parameters) > MOST_PARAMETERS:
        return "it has too many parameters"
    for type_ in [function.result, *(type_ for _, type_ in function.parameters)]:
        if type_.kind in ("struct", "union") and not type_.name:
            return "a structure without a name"
        if type_.kind == "opaque" or type_.size > LARGEST_RESULT:
            return f"no way to make a {type_.name or 'value of this type'}"
    return ""


def _letter(type_: CType) -> str:
    if is_file(type_):
        return "L"
    if type_.kind in ("int", "enum"):
        return "i" if type_.signed else "u"
    if type_.kind == "char":
        return "h" if type_.signed else "H"
    return LETTERS[type_.kind]


def _plain(type_: CType) -> str:
    """How the value of a parameter or result lies in memory."""
    match type_.kind:
        case "pointer" | "array" | "function":
            return "void *"
        case "float":
            return "float" if type_.size == 4 else "double"
        case "bool":
            return "_Bool"
        case "int" | "enum" | "char":
            return f"__{'' if type_.signed else 'U'}INT{8 * type_.size}_TYPE__"
    return type_.name


def _call(function: CFunction) -> str:
    arguments = ", ".join(
        f"*({_plain(type_)} *)arguments[{at}]" for at, (_, type_) in enumerate(function.parameters)
    )
    call = f"{function.name}({arguments});"
    if function.result.kind == "void":
        return call
    plain = _plain(function.result)
    cast = "(void *)" if plain == "void *" else ""
    return f"*({plain} *)result = {cast}{call}"
