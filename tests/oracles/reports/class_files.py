"""Class files, read without the package: methods, instructions, lines, and PIT's indices.

An index counts what a bytecode visitor is shown in a method, from 1: labels, line numbers, stack
frames and instructions.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

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


def read_classes(folder: Path) -> dict[tuple[str, str, str], Method]:
    """All methods of all class files below a folder."""
    return {
        (method.class_name, method.name, method.descriptor): method
        for path in sorted(folder.rglob("*.class"))
        for method in read_class(path.read_bytes())
    }
