"""C's memory as bytes in blocks: an access outside of a block is undefined."""

import struct
import zlib
from collections.abc import Callable

from equimut.languages.concrete import Stuck, Value
from equimut.languages.lowered import Address, Cell, Filled, Memory, Type
from equimut.languages.lowered import Unset as Nothing
from equimut.proofs.concrete.compiling import UNKNOWN, Compiler, Target, parts, stuck
from equimut.proofs.concrete.expressions import drawn
from equimut.proofs.concrete.run import UNSET, Block, Code, Run, Undefined, fitting

_APART = 1 << 20
"""Bytes from one block to the next."""
_WORD = 1 << 64


def size_of(type_: Type) -> int:
    """Bytes of a value in memory."""
    if type_.kind == "bool":
        return 1
    if type_.kind in ("int", "float") and type_.bits % 8 == 0:
        return type_.bits // 8
    raise Stuck


def allocate(run: Run, name: str, size: int) -> Block:
    """A new block of zeros, at an address that depends on its name only."""
    number = zlib.crc32(name.encode()) + 1
    while number in run.blocks:
        number += 1
    run.blocks[number] = block = Block(_APART * number, bytearray(size))
    return block


def put(block: Block, offset: int, type_: Type, value: Value) -> None:
    """Write a value into a block."""
    size = size_of(type_)
    if type_.kind == "float":
        data = struct.pack("<d" if size == 8 else "<f", value)
    else:
        data = (int(value) & ((1 << 8 * size) - 1)).to_bytes(size, "little")
    block.data[offset : offset + size] = data


def _get(block: Block, offset: int, type_: Type) -> Value:
    size = size_of(type_)
    data = bytes(block.data[offset : offset + size])
    if type_.kind == "float":
        return struct.unpack("<d" if size == 8 else "<f", data)[0]
    if type_.kind == "bool":
        return data[0] != 0
    return fitting(type_)(int.from_bytes(data, "little"))


def _at(run: Run, address: int, size: int) -> tuple[Block, int]:
    """The block at an address, if all of the access is in it."""
    block = run.blocks.get(address // _APART)
    if block is not None:
        offset = address - block.start
        if offset + size <= len(block.data):
            return block, offset
    raise Undefined


def _place(compiler: Compiler, node: Memory) -> Code:
    base = compiler.code(node.base)
    if node.offset is None:
        return base
    offset = compiler.code(node.offset)
    return lambda run: (base(run) + offset(run)) % _WORD


def _memory(compiler: Compiler, node: Memory) -> Code:
    place, read, _ = _to_memory(compiler, node)
    return lambda run: read(run, place(run))


def _to_memory(compiler: Compiler, node: Memory) -> Target:
    try:
        size = size_of(node.type)
    except Stuck:
        return UNKNOWN
    type_ = node.type

    def write(run: Run, where: Value, value: Value) -> None:
        put(*_at(run, where, size), type_, value)

    return _place(compiler, node), (lambda run, w: _get(*_at(run, w, size), type_)), write


def _address(compiler: Compiler, node: Address) -> Code:
    element = node.type.element
    if element is None or node.name.startswith("function "):
        return stuck
    if node.name.startswith('"'):
        return _literal(node.name)

    def code(run: Run) -> Value:
        if node.name not in run.places:
            block = allocate(run, node.name, size_of(element))
            if node.name.startswith("global "):
                put(block, 0, element, drawn(run, node.name, element))
            run.places[node.name] = block.start
        return run.places[node.name]

    return code


def _literal(text: str) -> Code:
    inside = text[1:-1].encode()
    if b"\\" in inside or b'"' in inside:
        inside = b"\x01" + inside  # what it says does not matter, only that it is another one

    def code(run: Run) -> Value:
        if text not in run.places:
            block = allocate(run, text, len(inside) + 1)
            block.data[: len(inside)] = inside
            run.places[text] = block.start
        return run.places[text]

    return code


def _cell(compiler: Compiler, node: Cell) -> Code:
    place, read, _ = _to_cell(compiler, node)
    return lambda run: read(run, place(run))


def _to_cell(compiler: Compiler, node: Cell) -> Target:
    indices, counts, type_ = parts(compiler, node.indices), [], node.local.type
    for _ in indices:
        counts.append(type_.count)
        if type_.element is None:
            return UNKNOWN
        type_ = type_.element
    name, steps = node.local.name, list(zip(indices, counts, strict=True))

    def place(run: Run) -> Value:
        found = 0
        for index, count in steps:
            at = index(run)
            if not 0 <= at < count:
                raise Undefined
            found = found * count + at
        return found

    def cells(run: Run) -> list[Value]:
        held = run.locals.get(name)
        if not isinstance(held, list):
            raise Stuck
        return held

    def read(run: Run, where: Value) -> Value:
        value = cells(run)[where]
        if value is UNSET:
            raise Stuck
        return value

    def write(run: Run, where: Value, value: Value) -> None:
        cells(run)[where] = value

    return place, read, write


def _count(type_: Type) -> int:
    total = 1
    while type_.kind == "array" and type_.element is not None:
        total *= type_.count
        type_ = type_.element
    if total > 1 << 16:
        raise Stuck
    return total


def _filled(compiler: Compiler, node: Filled) -> Code:
    items, inner = parts(compiler, node.items), node.type
    while inner.kind == "array" and inner.element is not None:
        inner = inner.element
    zero = {"int": 0, "bool": False, "float": 0.0}.get(inner.kind)
    if zero is None:
        return stuck

    def code(run: Run) -> Value:
        held: list[Value] = [item(run) for item in items]
        return held + [zero] * (_count(node.type) - len(held))

    return code


def _unset(compiler: Compiler, node: Nothing) -> Code:
    if node.type.kind != "array":
        return lambda run: UNSET
    return lambda run: [UNSET] * _count(node.type)


MEMORY: dict[type, Callable[..., Code]] = {
    Memory: _memory, Address: _address, Cell: _cell, Filled: _filled, Nothing: _unset,
}  # fmt: skip
MEMORY_TARGETS: dict[type, Callable[..., Target]] = {Memory: _to_memory, Cell: _to_cell}
