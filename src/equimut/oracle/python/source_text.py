"""Python source from recipes: values, calls and whole tests, with the imports they need."""

import ast
import builtins
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from equimut.errors import OracleError
from equimut.oracle.choosing import Facet
from equimut.oracle.harness.project.project_values import STOCK

BRACKETS = {"list": ("[", "]"), "tuple": ("(", ")"), "set": ("{", "}")}
DOTTED = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")
LONGEST_NAME = 60
INDENT = "    "
MODULE = "module"
"""What the module under test is called where its variables are looked at."""
CONSTANTS = ("None", "True", "False")
OPERATORS = {
    "__add__": "+", "__sub__": "-", "__mul__": "*", "__truediv__": "/", "__floordiv__": "//",
    "__mod__": "%", "__eq__": "==", "__ne__": "!=", "__lt__": "<", "__le__": "<=", "__gt__": ">",
    "__ge__": ">=", "__and__": "&", "__or__": "|", "__xor__": "^",
}  # fmt: skip
FUNCTIONS = {
    "__str__": "str", "__repr__": "repr", "__len__": "len", "__hash__": "hash", "__bool__": "bool",
    "__int__": "int", "__float__": "float", "__abs__": "abs",
}  # fmt: skip


@dataclass
class Script:
    """Source that grows: names that are imported, and lines before the one that matters."""

    names: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Name in the test -> module and name there."""
    modules: set[str] = field(default_factory=set)
    """Modules that are imported as such."""
    lines: list[str] = field(default_factory=list)
    variables: set[str] = field(default_factory=set)

    @property
    def imports(self) -> tuple[str, ...]:
        """The import lines."""
        whole = [f"import {module}" for module in sorted(self.modules)]
        parts = []
        for shown, (module, name) in sorted(
            self.names.items(), key=lambda item: (item[1], item[0])
        ):
            alias = "" if shown == name else f" as {shown}"
            parts.append(f"from {module} import {name}{alias}")
        return (*whole, *parts)

    def name(self, full: str) -> str:
        """How a `module:Qualified.name` is written here, imported if it has to be."""
        module, _, path = full.partition(":")
        if not (DOTTED.fullmatch(module) and DOTTED.fullmatch(path)):
            raise OracleError(f"{full!r} is not the name of anything")
        first, dot, rest = path.partition(".")
        if module == "builtins":
            return path
        if hasattr(builtins, first):  # `re.compile` must not hide a builtin
            self.modules.add(module)
            return f"{module}.{path}"
        shown = first
        if self.names.get(shown, (module, first)) != (module, first):
            shown = f"{module.rpartition('.')[2]}_{first}"
        self.names[shown] = module, first
        return f"{shown}{dot}{rest}"

    def variable(self, wanted: str, value: str) -> str:
        """A new variable with a value."""
        name, number = wanted, 2
        while name in self.variables or name in self.names:
            name, number = f"{wanted}_{number}", number + 1
        self.variables.add(name)
        self.lines.append(f"{name} = {value}")
        return name

    def value(self, recipe: Any) -> str:
        """An expression for a recipe."""
        if not isinstance(recipe, dict):
            return literal(recipe)
        for kind, (start, end) in BRACKETS.items():
            if kind in recipe:
                items = [self.value(item) for item in recipe[kind]]
                if kind == "set" and not items:
                    return "set()"
                comma = "," if kind == "tuple" and len(items) == 1 else ""
                return f"{start}{', '.join(items)}{comma}{end}"
        if "frozenset" in recipe:
            items = [self.value(item) for item in recipe["frozenset"]]
            return f"frozenset([{', '.join(items)}])"
        if "dict" in recipe:
            pairs = [f"{self.value(key)}: {self.value(item)}" for key, item in recipe["dict"]]
            return "{" + ", ".join(pairs) + "}"
        if "bytes" in recipe:
            return repr(recipe["bytes"].encode("latin-1"))
        if "float" in recipe:
            return f'float("{float(recipe["float"])}")'
        if "module" in recipe:
            if not DOTTED.fullmatch(recipe["module"]):
                raise OracleError(f"{recipe['module']!r} is not the name of a module")
            self.modules.add(recipe["module"])
            return str(recipe["module"])
        if "name" in recipe:
            return self.name(recipe["name"])
        if "stock" in recipe:
            if recipe["stock"] not in STOCK and recipe["stock"] not in self.variables:
                raise OracleError("a function that is not one of ours")
            return str(recipe["stock"])
        return self._object(recipe)

    def _object(self, recipe: dict[str, Any]) -> str:
        made = f"{self.name(recipe['new'])}({self.arguments(recipe)})"
        if not recipe.get("then"):
            return made
        name = self.variable(snake(recipe["new"].rpartition(".")[2].rpartition(":")[2]), made)
        for method, args, named in recipe["then"]:
            _identifier(method)
            self.lines.append(f"{name}.{method}({self.arguments({'args': args, 'named': named})})")
        return name

    def arguments(self, call: dict[str, Any]) -> str:
        """The arguments of a call, as they stand between its brackets."""
        parts = [self.value(part) for part in call.get("args", ())]
        named = call.get("named", {})
        parts += [f"{_identifier(name)}={self.value(part)}" for name, part in named.items()]
        return ", ".join(parts)

    def call(
        self, module: str, function: str, kind: str, call: dict[str, Any], kept: Iterable[str] = ()
    ) -> str:
        """The call itself; what is looked at afterwards (`kept`) stands in variables before it."""
        owner, _, name = function.rpartition(".")
        if name.startswith("__") and not name.endswith("__") and owner:
            name = f"_{owner.rpartition('.')[2].lstrip('_')}{name}"
        call = self._with_variables(call, set(kept))
        receiver = self._receiver(module, owner, call, "receiver" in kept)
        if not owner:
            return f"{self.name(f'{module}:{name}')}({self.arguments(call)})"
        if name == "__init__" and kind == "method":
            return f"{receiver}({self.arguments(call)})"
        if kind == "property":
            return f"{receiver}.{name}"
        if kind == "setter":
            return f"setattr({receiver}, {name!r}, {self.arguments(call)})"
        if kind == "method" and not call["named"]:
            values = [self.value(part) for part in call["args"]]
            if name in OPERATORS and len(values) == 1:
                return f"{receiver} {OPERATORS[name]} {values[0]}"
            if name in FUNCTIONS and not values:
                return f"{FUNCTIONS[name]}({receiver})"
        return f"{receiver}.{name}({self.arguments(call)})"

    def _receiver(self, module: str, owner: str, call: dict[str, Any], kept: bool) -> str:
        if not owner:
            return ""
        if "self" not in call:
            return self.name(f"{module}:{owner}")
        made = self.value(call["self"])
        if kept and made not in self.variables:
            made = self.variable(snake(owner.rpartition(".")[2]), made)
        self.receiver = made
        return made

    def _with_variables(self, call: dict[str, Any], kept: set[str]) -> dict[str, Any]:
        """The call with those arguments in variables that are looked at afterwards."""
        args: list[Any] = list(call["args"])
        named = dict(call["named"])
        self.kept: dict[str, str] = {}
        for subject in sorted(kept):
            word, _, place = subject.partition(" ")
            if word != "argument":
                continue
            recipe = args[int(place)] if place.isdecimal() else named[place]
            wanted = "argument" if place.isdecimal() else _identifier(place)
            name = self.variable(wanted, self.value(recipe))
            self.kept[subject] = name
            if place.isdecimal():
                args[int(place)] = {"stock": name}
            else:
                named[place] = {"stock": name}
        return {**call, "args": args, "named": named}


def literal(value: Any) -> str:
    """A plain value as people write it: texts in double quotes where that needs no escape."""
    text = repr(value)
    if isinstance(value, str) and text[0] == "'" and '"' not in text:
        return f'"{text[1:-1]}"'
    return text


def _identifier(name: str) -> str:
    if not name.isidentifier():
        raise OracleError(f"{name!r} is not a name")
    return name


def snake(name: str) -> str:
    """`SemVersion` as a variable or a part of a test's name: `sem_version`."""
    parts = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return re.sub(r"\W+|_+", "_", parts).strip("_").lower() or "value"


def value_text(recipe: Any) -> str:
    """A value on one line, for people."""
    script = Script()
    text = script.value(recipe)
    return "; ".join([*script.lines, text])


def call_text(module: str, function: str, kind: str, call: dict[str, Any]) -> str:
    """A call on one line, for people."""
    script = Script()
    text = script.call(module, function, kind, call)
    return "; ".join([*script.lines, text])


@dataclass(frozen=True)
class Sight:
    """What a test is about: one call of one function, and what the origin does."""

    module: str
    function: str
    kind: str
    call: dict[str, Any]
    origin: dict[str, Any]
    state: str = ""
    """The module whose variables are looked at."""

    def value(self, facet: Facet) -> Any:
        """What a facet of the origin's behaviour is."""
        return next(row[3] for row in self.origin["facets"] if (row[0], row[1]) == facet)


def suggested_source(
    sight: Sight, facets: Sequence[Facet], both_throw: bool, taken: set[str]
) -> tuple[str, tuple[str, ...], str]:
    """A test's name, imports and text; `facets` are what it asserts."""
    script = Script(modules=set())
    if sight.origin["outcome"] == "throws":
        ending, lines = _raising(script, sight, facets, both_throw)
    else:
        ending, lines = _returning(script, sight, facets)
    wanted = f"test_{snake(sight.function.replace('.', '_'))}_{ending}"[:LONGEST_NAME].rstrip("_")
    name, number = wanted, 2
    while name in taken:
        name, number = f"{wanted}_{number}", number + 1
    fixtures = ["capsys"] if any(subject in ("output", "errors") for subject, _ in facets) else []
    if touched := _touched(sight):
        fixtures.append("monkeypatch")
        lines = [*_kept_apart(script, sight, touched), *lines]
    body = [INDENT + line for line in lines]
    text = "\n".join([f"def {name}({', '.join(fixtures)}):", *body]) + "\n"
    return name, script.imports, text


def _touched(sight: Sight) -> list[str]:
    """Variables of the module that the call changes, which other tests must not notice."""
    subjects = dict.fromkeys(facet[0] for facet in sight.origin["facets"])
    return [name for each in subjects if (name := each.removeprefix("global ")) != each]


def _kept_apart(script: Script, sight: Sight, names: Sequence[str]) -> list[str]:
    # A function may be named like its module, so that the module needs a name of its own.
    script.modules.add(f"{sight.state} as {MODULE}")
    before = sight.origin.get("before", {})
    lines = []
    for name in names:
        value = script.value(before[name]) if name in before else f"copy.copy({MODULE}.{name})"
        if name not in before:
            script.modules.add("copy")
        lines.append(f"monkeypatch.setattr({MODULE}, {literal(_identifier(name))}, {value})")
    return lines


def _raising(
    script: Script, sight: Sight, facets: Sequence[Facet], both_throw: bool
) -> tuple[str, list[str]]:
    script.modules.add("pytest")
    raised = sight.origin["facets"][0][3]
    kind = script.value(raised) if raised is not None else "Exception"
    call = script.call(sight.module, sight.function, sight.kind, sight.call)
    lines = [*script.lines, f"with pytest.raises({kind}) as caught:", INDENT + call]
    if both_throw and ("raised", "{}") in facets:
        lines.append(f"assert caught.type is {kind}")
    if ("message", "{}") in facets:
        lines.append(f"assert str(caught.value) == {literal(sight.value(('message', '{}')))}")
    if ("exit", "{}") in facets:
        lines.append(_assertion("caught.value.code", script.value(sight.value(("exit", "{}")))))
    if len(lines) == len(script.lines) + 2:
        lines[-2] = f"with pytest.raises({kind}):"
    return f"raises_{snake(kind.rpartition('.')[2])}", lines


def _returning(script: Script, sight: Sight, facets: Sequence[Facet]) -> tuple[str, list[str]]:
    subjects = list(dict.fromkeys(subject for subject, _ in facets))
    call = script.call(sight.module, sight.function, sight.kind, sight.call, subjects)
    results = [template for subject, template in facets if subject == "result"]
    lines = list(script.lines)
    script.lines.clear()
    if "warnings" in subjects:
        script.modules.add("warnings")
        lines += ["with warnings.catch_warnings(record=True) as caught:"]
        inner = f"result = {call}" if results else call
        lines += [f'{INDENT}warnings.simplefilter("always")', INDENT + inner]
    elif results == ["{}"] and len(facets) == 1:
        lines.append(_assertion(call, script.value(sight.value(("result", "{}")))))
    elif results:
        lines.append(f"result = {call}")
    else:
        lines.append(call)
    for subject, template in facets if lines[-1].partition(" ")[0] != "assert" else ():
        shown = {
            "result": "result", "output": "capsys.readouterr().out",
            "errors": "capsys.readouterr().err", "receiver": getattr(script, "receiver", ""),
            "warnings": "[(each.category.__name__, str(each.message)) for each in caught]",
            **script.kept,
            **{f"global {name}": f"{MODULE}.{name}" for name in _touched(sight)},
        }[subject]  # fmt: skip
        value = script.value(sight.value((subject, template)))
        lines += script.lines
        script.lines.clear()
        lines.append(_assertion(template.replace("{}", shown), value))
    return _ending(sight, facets), lines


def _ending(sight: Sight, facets: Sequence[Facet]) -> str:
    if not facets:
        return "runs"
    subject, template = facets[0]
    word, _, place = subject.partition(" ")
    if word == "result":
        value = snake(value_text(sight.value((subject, template))))
        part = "" if template == "{}" else f"{snake(template)}_"
        return f"returns_{part}{value[:24].strip('_')}".replace("__", "_").rstrip("_")
    return {
        "receiver": "changes_its_object", "argument": f"changes_{snake('argument_' + place)}",
        "global": f"changes_{snake(place)}", "output": "prints", "warnings": "warns",
        "errors": "prints_to_standard_error",
    }[word]  # fmt: skip


def _assertion(left: str, right: str) -> str:
    body = ast.parse(left, mode="eval").body
    if isinstance(body, (ast.Compare, ast.BinOp, ast.BoolOp, ast.UnaryOp)):
        left = f"({left})"
    return f"assert {left} {'is' if right in CONSTANTS else '=='} {right}"
