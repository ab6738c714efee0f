"""What PIT would do to compiled classes: its mutators as one table, and its reports.

Independent of the package: it never looks at source text.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from xml.sax.saxutils import escape

from oracles.reports.class_files import Instruction, Method

MUTATORS = "org.pitest.mutationtest.engine.gregor.mutators."


@dataclass(frozen=True)
class Mutation:
    """A mutation PIT would make: which instruction, and what the report would say of it."""

    method: Method
    at: int
    mutator: str
    description: str

    @property
    def instruction(self) -> Instruction:
        """The instruction that is mutated."""
        return self.method.code[self.at]

    @property
    def key(self) -> tuple[str, str, str, int, str, str]:
        """What identifies it in a report."""
        method = self.method
        return (
            method.class_name, method.name, method.descriptor, self.instruction.index,
            self.mutator, self.description,
        )  # fmt: skip


MATH = {
    "add": ("sub", "addition with subtraction"),
    "sub": ("add", "subtraction with addition"),
    "mul": ("div", "multiplication with division"),
    "div": ("mul", "division with multiplication"),
    "rem": ("mul", "modulus with multiplication"),
}
BITS = {
    "or": ("and", "Replaced bitwise OR with AND"),
    "and": ("or", "Replaced bitwise AND with OR"),
    "xor": ("and", "Replaced XOR with AND"),
    "shl": ("shr", "Replaced Shift Left with Shift Right"),
    "shr": ("shl", "Replaced Shift Right with Shift Left"),
    "ushr": ("shl", "Replaced Unsigned Shift Right with Shift Left"),
}
_WORDS = {"i": "integer", "l": "long", "f": "float", "d": "double"}
BOUNDARY = {"lt": "le", "le": "lt", "gt": "ge", "ge": "gt"}
NEGATED = {
    "eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt",
    "null": "nonnull", "nonnull": "null",
}  # fmt: skip
_EMPTY = {
    "java/lang/Integer": "replaced Integer return value with 0",
    "java/lang/Long": "replaced Long return value with 0L",
    "java/lang/Double": "replaced Double return value with 0",
    "java/lang/Character": "replaced Character return value with 0",
    "java/lang/String": 'replaced return value with ""',
    "java/util/Optional": "replaced return value with Optional.empty",
    "java/util/List": "replaced return value with Collections.emptyList",
    "java/util/Set": "replaced return value with Collections.emptySet",
}
_PRIMITIVE = {
    "I": "int return with 0", "C": "char return with 0", "S": "short return with 0",
    "B": "byte return with 0", "J": "long return with 0", "F": "float return with 0.0f",
    "D": "double return with 0.0d",
}  # fmt: skip


def mutations(method: Method, *, every: bool = False) -> Iterator[Mutation]:
    """PIT's default mutations of a method; `every`: also removed conditions and old returns."""
    for at, instruction in enumerate(method.code):
        for mutator, description in _on(instruction, method, every):
            yield Mutation(method, at, MUTATORS + mutator, description)


def _on(instruction: Instruction, method: Method, every: bool) -> Iterator[tuple[str, str]]:
    name = instruction.name
    test = name.removeprefix("if_icmp").removeprefix("if_acmp").removeprefix("if")
    if name.startswith("if"):
        yield "NegateConditionalsMutator", "negated conditional"
        if test in BOUNDARY:
            yield "ConditionalsBoundaryMutator", "changed conditional boundary"
        family = ("ORDER", "comparison") if test in BOUNDARY else ("EQUAL", "equality")
        for suffix, value in (("IF", "true"), ("ELSE", "false")) if every else ():
            yield (
                f"RemoveConditionalMutator_{family[0]}_{suffix}",
                f"removed conditional - replaced {family[1]} check with {value}",
            )
    elif name[1:] in MATH and name[0] in _WORDS:
        yield "MathMutator", f"Replaced {_WORDS[name[0]]} {MATH[name[1:]][1]}"
    elif name[1:] in BITS and name[0] in "il":
        yield "MathMutator", BITS[name[1:]][1]
    elif name == "iinc":
        amount = instruction.operand[1]
        yield "IncrementsMutator", f"Changed increment from {amount} to {-amount}"
    elif name.endswith("neg") and len(name) == 4:
        yield "InvertNegsMutator", "removed negation"
    elif name.startswith("invoke") and name != "invokedynamic":
        (owner,), (called, descriptor) = instruction.operand
        if descriptor.endswith(")V") and called != "<init>":
            yield "VoidMethodCallMutator", f"removed call to {owner}::{called}"
    elif name.endswith("return") and name != "return":
        yield from _returns(method, every)


def _returns(method: Method, every: bool) -> Iterator[tuple[str, str]]:
    kind = method.descriptor.rpartition(")")[2]
    where = f" for {method.class_name.replace('.', '/')}::{method.name}"
    plain = kind.removeprefix("L").removesuffix(";")
    if kind == "Z":
        yield "returns.BooleanFalseReturnValsMutator", f"replaced boolean return with false{where}"
        yield "returns.BooleanTrueReturnValsMutator", f"replaced boolean return with true{where}"
    elif plain == "java/lang/Boolean":
        yield "returns.BooleanFalseReturnValsMutator", f"replaced Boolean return with False{where}"
        yield "returns.BooleanTrueReturnValsMutator", f"replaced Boolean return with True{where}"
    elif kind in _PRIMITIVE:
        yield "returns.PrimitiveReturnsMutator", f"replaced {_PRIMITIVE[kind]}{where}"
    elif plain in _EMPTY:
        yield "returns.EmptyObjectReturnValsMutator", f"{_EMPTY[plain]}{where}"
    else:
        yield "returns.NullReturnValsMutator", f"replaced return value with null{where}"
    if every:
        old = {
            "J": f"replaced return of long value with value + 1{where}",
            "F": f"replaced return of float value with -(x + 1){where}",
            "D": f"replaced return of double value with -(x + 1){where}",
        }
        if kind in ("I", "Z", "B", "C", "S"):
            old[kind] = "replaced return of integer sized value with (x == 0 ? 1 : 0)"
        fallback = (
            f"mutated return of Object value{where}"
            " to ( if (x != null) null else throw new RuntimeException )"
        )
        yield "ReturnValsMutator", old.get(kind, fallback)


def mutated_code(mutation: Mutation) -> list[tuple[str, object]] | None:
    """The method's code after the mutation, where PIT swaps one instruction for another."""
    code = [(i.name, i.operand) for i in mutation.method.code]
    name, operand = code[mutation.at]
    short = mutation.mutator.removeprefix(MUTATORS)
    if short in ("NegateConditionalsMutator", "ConditionalsBoundaryMutator"):
        prefix = next(p for p in ("if_icmp", "if_acmp", "if") if name.startswith(p))
        table = NEGATED if short.startswith("Negate") else BOUNDARY
        code[mutation.at] = (prefix + table[name.removeprefix(prefix)], operand)
    elif short == "MathMutator":
        table = {**MATH, **BITS}
        code[mutation.at] = (name[0] + table[name[1:]][0], operand)
    elif short == "IncrementsMutator":
        code[mutation.at] = (name, (operand[0], -operand[1]))
    elif short == "InvertNegsMutator":
        del code[mutation.at]
        return [(n, _shifted(o, mutation.at) if _jumps(n) else o) for n, o in code]
    else:
        return None
    return code


def plain_code(method: Method) -> list[tuple[str, object]]:
    """The code without lines and indices."""
    return [(i.name, i.operand) for i in method.code]


def _jumps(name: str) -> bool:
    return name.startswith("if") or name in ("goto", "tableswitch", "lookupswitch")


def _shifted(targets: object, removed: int) -> object:
    return tuple(t - (t > removed) for t in targets) if isinstance(targets, tuple) else targets


def report_xml(found: list[tuple[Mutation, str]], *, new_dialect: bool) -> str:
    """A report of these mutations with their statuses, as PIT writes it."""
    parts = ['<?xml version="1.0" encoding="UTF-8"?>\n<mutations partial="true">']
    for number, (mutation, status) in enumerate(found):
        method = mutation.method
        detected = str(status in ("KILLED", "TIMED_OUT")).lower()
        source = method.class_name.rpartition(".")[2].split("$")[0] + ".java"
        index = f"<index>{mutation.instruction.index}</index>"
        block = f"<block>{number}</block>"
        if new_dialect:
            index, block = f"<indexes>{index}</indexes>", f"<blocks>{block}</blocks>"
        killer = "<killingTest>a.T.t(a.T)</killingTest>" if status == "KILLED" else "<killingTest/>"
        parts.append(
            f"<mutation detected='{detected}' status='{status}' numberOfTestsRun='1'>"
            f"<sourceFile>{source}</sourceFile><mutatedClass>{method.class_name}</mutatedClass>"
            f"<mutatedMethod>{escape(method.name)}</mutatedMethod>"
            f"<methodDescription>{method.descriptor}</methodDescription>"
            f"<lineNumber>{mutation.instruction.line}</lineNumber>"
            f"<mutator>{mutation.mutator}</mutator>{index}{block}{killer}"
            f"<description>{escape(mutation.description)}</description></mutation>"
        )
    return "\n".join([*parts, "</mutations>\n"])
