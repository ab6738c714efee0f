"""What PIT would do to compiled classes: a class-file reader, and PIT's mutators as one table.

Independent of the package: it never looks at source text. An index counts what a bytecode
visitor is shown in a method, from 1: labels, line numbers, stack frames and instructions.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MUTATORS = "org.pitest.mutationtest.engine.gregor.mutators."
_NAMES = {
    **{v: f"iconst_{v - 3}" for v in range(3, 9)},
    16: "bipush", 17: "sipush", 87: "pop", 88: "pop2",
    96: "iadd", 97: "ladd", 98: "fadd", 99: "dadd", 100: "isub", 101: "lsub", 102: "fsub",
    103: "dsub", 104: "imul", 105: "lmul", 106: "fmul", 107: "dmul", 108: "idiv", 109: "ldiv",
    110: "fdiv", 111: "ddiv", 112: "irem", 113: "lrem", 114: "frem", 115: "drem", 116: "ineg",
    117: "lneg", 118: "fneg", 119: "dneg", 120: "ishl", 121: "lshl", 122: "ishr", 123: "lshr",
    124: "iushr", 125: "lushr", 126: "iand", 127: "land", 128: "ior", 129: "lor", 130: "ixor",
    131: "lxor", 132: "iinc", 153: "ifeq", 154: "ifne", 155: "iflt", 156: "ifge", 157: "ifgt",
    158: "ifle", 159: "if_icmpeq", 160: "if_icmpne", 161: "if_icmplt", 162: "if_icmpge",
    163: "if_icmpgt", 164: "if_icmple", 165: "if_acmpeq", 166: "if_acmpne", 167: "goto",
    170: "tableswitch", 171: "lookupswitch", 172: "ireturn", 173: "lreturn", 174: "freturn",
    175: "dreturn", 176: "areturn", 177: "return", 182: "invokevirtual", 183: "invokespecial",
    184: "invokestatic", 185: "invokeinterface", 186: "invokedynamic", 187: "new",
    191: "athrow", 196: "wide", 198: "ifnull", 199: "ifnonnull",
}  # fmt: skip
CODES = {name: code for code, name in _NAMES.items()}
_LENGTHS = {
    16: 2, 17: 3, 18: 2, 19: 3, 20: 3, **dict.fromkeys(range(21, 26), 2),
    **dict.fromkeys(range(54, 59), 2), 132: 3, **dict.fromkeys(range(153, 169), 3), 169: 2,
    **dict.fromkeys(range(178, 185), 3), 185: 5, 186: 5, 187: 3, 188: 2, 189: 3, 192: 3, 193: 3,
    197: 4, 198: 3, 199: 3, 200: 5, 201: 5,
}  # fmt: skip


@dataclass(frozen=True)
class Instruction:
    """One instruction; a jump's operand is the number of the instruction it goes to."""

    name: str
    operand: object
    line: int
    index: int


@dataclass(frozen=True)
class Method:
    """A method with code."""

    class_name: str
    name: str
    descriptor: str
    synthetic: bool
    code: tuple[Instruction, ...]


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


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def u(self, size: int) -> int:
        self.at += size
        return int.from_bytes(self.data[self.at - size : self.at], "big")

    def take(self, size: int) -> bytes:
        self.at += size
        return self.data[self.at - size : self.at]


def read_class(data: bytes) -> list[Method]:
    """The methods of a class file."""
    reader = _Reader(data)
    reader.take(8)
    pool = _pool(reader)
    reader.u(2)
    this = _text(pool, pool[reader.u(2)][1]).replace("/", ".")
    reader.u(2)
    reader.take(2 * reader.u(2))
    for _ in range(reader.u(2)):  # fields
        reader.take(6)
        for _ in range(reader.u(2)):
            reader.u(2)
            reader.take(reader.u(4))
    methods = []
    for _ in range(reader.u(2)):
        access, name, descriptor = reader.u(2), reader.u(2), reader.u(2)
        for _ in range(reader.u(2)):
            kind, body = _text(pool, reader.u(2)), reader.take(reader.u(4))
            if kind == "Code" and not access & 0x40:  # PIT leaves bridge methods alone
                code = _code(body, pool)
                names = _text(pool, name), _text(pool, descriptor)
                methods.append(Method(this, *names, bool(access & 0x1000), code))
    return methods


def _pool(reader: _Reader) -> dict[int, tuple]:
    pool: dict[int, tuple] = {}
    count, at = reader.u(2), 1
    while at < count:
        tag = reader.u(1)
        if tag == 1:
            pool[at] = (tag, reader.take(reader.u(2)).decode(errors="surrogateescape"))
        elif tag in (3, 4):
            pool[at] = (tag, struct.unpack(">i" if tag == 3 else ">f", reader.take(4))[0])
        elif tag in (5, 6):
            pool[at] = (tag, struct.unpack(">q" if tag == 5 else ">d", reader.take(8))[0])
            at += 1
        elif tag in (7, 8, 16, 19, 20):
            pool[at] = (tag, reader.u(2))
        elif tag == 15:
            pool[at] = (tag, reader.u(1), reader.u(2))
        else:
            pool[at] = (tag, reader.u(2), reader.u(2))
        at += 1
    return pool


def _text(pool: dict[int, tuple], at: int) -> str:
    return pool[at][1]


def _constant(pool: dict[int, tuple], at: int) -> object:
    """A constant without its number in the pool, which changes when code is added."""
    tag, *rest = pool[at]
    if tag in (4, 6):
        return repr(rest[0])  # NaN is not equal to itself
    if tag in (1, 3, 5):
        return rest[0]
    if tag in (17, 18):
        return ("dynamic", _constant(pool, rest[1]))
    return tuple(_constant(pool, part) for part in rest if part in pool)


def _code(body: bytes, pool: dict[int, tuple]) -> tuple[Instruction, ...]:
    reader = _Reader(body)
    reader.take(4)
    code = reader.take(reader.u(4))
    labels: set[int] = set()
    for _ in range(reader.u(2)):  # exceptions
        labels.update((reader.u(2), reader.u(2), reader.u(2)))
        reader.u(2)
    lines: dict[int, list[int]] = {}
    frames: set[int] = set()
    for _ in range(reader.u(2)):
        kind, attribute = _text(pool, reader.u(2)), _Reader(reader.take(reader.u(4)))
        if kind == "LineNumberTable":
            for _ in range(attribute.u(2)):
                lines.setdefault(attribute.u(2), []).append(attribute.u(2))
        elif kind == "LocalVariableTable":
            for _ in range(attribute.u(2)):
                start = attribute.u(2)
                labels.update((start, start + attribute.u(2)))
                attribute.take(6)
        elif kind == "StackMapTable":
            frames = _frames(attribute)
    decoded = list(_decode(code, pool))
    for _, _, targets in decoded:
        labels.update(targets)
    labels.update(lines)
    number = {offset: at for at, (offset, _, _) in enumerate(decoded)}
    found, index, line = [], 0, 0
    for offset, (name, operand), targets in decoded:
        index += (offset in labels) + len(lines.get(offset, [])) + (offset in frames) + 1
        line = lines.get(offset, [line])[-1]
        shown = tuple(number[target] for target in targets) if targets else operand
        found.append(Instruction(name, shown, line, index))
    return tuple(found)


def _frames(reader: _Reader) -> set[int]:
    found, at = set(), -1
    for _ in range(reader.u(2)):
        kind = reader.u(1)
        stack, local = 0, 0
        if kind < 64:
            at += kind + 1
        elif kind < 128:
            at, stack = at + kind - 63, 1
        else:
            at += reader.u(2) + 1
            if kind == 247:
                stack = 1
            elif 252 <= kind <= 254:
                local = kind - 251
            elif kind == 255:
                _types(reader, reader.u(2))
                stack = reader.u(2)
        _types(reader, local + stack)
        found.add(at)
    return found


def _types(reader: _Reader, count: int) -> None:
    for _ in range(count):
        if reader.u(1) in (7, 8):
            reader.u(2)


def _decode(
    code: bytes, pool: dict[int, tuple]
) -> Iterator[tuple[int, tuple[str, object], tuple[int, ...]]]:
    at = 0
    while at < len(code):
        op, operand, targets = code[at], None, ()
        length = _LENGTHS.get(op, 1)
        raw = code[at + 1 : at + length]
        if op == 196:
            length = 6 if code[at + 1] == 132 else 4
            name = _NAMES.get(code[at + 1], f"op{code[at + 1]}")
            variable = int.from_bytes(code[at + 2 : at + 4], "big")
            operand = (variable, int.from_bytes(code[at + 4 : at + 6], "big", signed=True))
            yield at, (name, operand), ()
            at += length
            continue
        if op in (170, 171):
            length, targets, operand = _switch(code, at)
        elif 153 <= op <= 168 or op in (198, 199):
            targets = (at + int.from_bytes(raw, "big", signed=True),)
        elif op == 132:
            operand = (raw[0], int.from_bytes(raw[1:], "big", signed=True))
        elif op in (18, 19, 20) or 178 <= op <= 187 or op in (189, 192, 193, 197):
            operand = _constant(pool, int.from_bytes(raw[: 1 if op == 18 else 2], "big"))
        elif raw:
            operand = int.from_bytes(raw, "big", signed=op in (16, 17))
        yield at, (_NAMES.get(op, f"op{op}"), operand), targets
        at += length


def _switch(code: bytes, at: int) -> tuple[int, tuple[int, ...], object]:
    start = at + 4 - at % 4
    numbers = [
        int.from_bytes(code[i : i + 4], "big", signed=True) for i in range(start, len(code), 4)
    ]
    if code[at] == 170:
        low, high = numbers[1:3]
        size, jumps, keys = 3 + high - low + 1, numbers[3 : 4 + high - low], (low, high)
    else:
        pairs = numbers[1]
        size, jumps = 2 + 2 * pairs, numbers[3 : 2 + 2 * pairs : 2]
        keys = tuple(numbers[2 : 2 + 2 * pairs : 2])
    targets = tuple(at + jump for jump in [numbers[0], *jumps])
    return start - at + 4 * size, targets, keys


_MATH = {
    "add": ("sub", "addition with subtraction"),
    "sub": ("add", "subtraction with addition"),
    "mul": ("div", "multiplication with division"),
    "div": ("mul", "division with multiplication"),
    "rem": ("mul", "modulus with multiplication"),
}
_BITS = {
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
    elif name[1:] in _MATH and name[0] in _WORDS:
        yield "MathMutator", f"Replaced {_WORDS[name[0]]} {_MATH[name[1:]][1]}"
    elif name[1:] in _BITS and name[0] in "il":
        yield "MathMutator", _BITS[name[1:]][1]
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
        table = {**_MATH, **_BITS}
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


def read_classes(folder: Path) -> dict[tuple[str, str, str], Method]:
    """All methods of all class files below a folder."""
    return {
        (method.class_name, method.name, method.descriptor): method
        for path in sorted(folder.rglob("*.class"))
        for method in read_class(path.read_bytes())
    }


def report_xml(found: list[tuple[Mutation, str]], *, new_dialect: bool) -> str:
    """A report of these mutations with their statuses, as PIT writes it."""
    from xml.sax.saxutils import escape

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


class Stuck(Exception):
    """An instruction the small machine does not know, or too many steps."""


def run(method: Method, values: list[int], mutation: Mutation | None = None) -> int | str:
    """Run a static method on int alone, with or without a mutation of its bytecode."""
    code, stack, local = method.code, [], dict(enumerate(values))
    at, steps = 0, 0
    while (steps := steps + 1) < 5_000:
        name, operand = code[at].name, code[at].operand
        mutated = mutation is not None and mutation.at == at
        if mutated and "RemoveConditional" in mutation.mutator:
            del stack[-2 if "_icmp" in name else -1 :]
            at = operand[0] if mutation.mutator.endswith("ELSE") else at + 1
            continue
        if name == "ireturn":
            value = stack.pop()
            if not mutated:
                return value
            if mutation.mutator.endswith(".ReturnValsMutator"):
                return int(value == 0)
            return int("true" in mutation.description)
        if mutated and name == "ineg":
            at += 1
            continue
        if mutated:
            name, operand = mutated_code(mutation)[at]
        try:
            at = _step(name, operand, stack, local, at)
        except ZeroDivisionError:
            return "ArithmeticException"
    return "endless"


def _step(name: str, operand: object, stack: list[int], local: dict[int, int], at: int) -> int:
    """Carry out one instruction; the number of the next one."""
    number = int(name[2:]) if name.startswith("op") else -1
    if name.startswith("iconst_"):
        stack.append(int(name[7:]))
    elif name in ("bipush", "sipush"):
        stack.append(operand)
    elif number == 2:
        stack.append(-1)
    elif number == 21 or 26 <= number <= 29:
        stack.append(local[operand if number == 21 else number - 26])
    elif number == 54 or 59 <= number <= 62:
        local[operand if number == 54 else number - 59] = stack.pop()
    elif name == "iinc":
        local[operand[0]] = _wrap(local[operand[0]] + operand[1])
    elif name == "goto":
        return operand[0]
    elif name.startswith("if"):
        right = stack.pop() if "_icmp" in name else 0
        left = stack.pop()
        test = name.removeprefix("if_icmp").removeprefix("if")
        holds = {
            "eq": left == right, "ne": left != right, "lt": left < right,
            "ge": left >= right, "gt": left > right, "le": left <= right,
        }[test]  # fmt: skip
        return operand[0] if holds else at + 1
    elif name == "ineg":
        stack.append(_wrap(-stack.pop()))
    elif name[1:] in {**_MATH, **_BITS} and name[0] == "i":
        right, left = stack.pop(), stack.pop()
        stack.append(_wrap(_operation(name[1:], left, right)))
    else:
        raise Stuck(name)
    return at + 1


def _operation(name: str, left: int, right: int) -> int:
    quotient = 0
    if name in ("div", "rem"):
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
    shift = right & 31
    return {
        "add": left + right, "sub": left - right, "mul": left * right, "div": quotient,
        "rem": left - quotient * right, "and": left & right, "or": left | right,
        "xor": left ^ right, "shl": left << shift, "shr": left >> shift,
        "ushr": (left & 0xFFFFFFFF) >> shift,
    }[name]  # fmt: skip


def _wrap(value: int) -> int:
    return (value + 2**31) % 2**32 - 2**31
