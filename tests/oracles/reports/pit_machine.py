"""A machine for static methods on int alone, with or without a mutation of their bytecode."""

from oracles.reports.class_files import Method
from oracles.reports.pit_bytecode import BITS, MATH, Mutation, mutated_code


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
    elif name[1:] in {**MATH, **BITS} and name[0] == "i":
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
