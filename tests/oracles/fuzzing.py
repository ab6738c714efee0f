"""Inputs gone wrong in the ways files go wrong: cut, flipped, shuffled, huge, not text at all."""

from collections.abc import Callable, Iterator, Sequence
from random import Random

Mutation = Callable[[Random, bytes], bytes]


def cut(random: Random, text: bytes) -> bytes:
    """Truncated anywhere, at either end."""
    at = random.randint(0, len(text))
    return text[:at] if random.random() < 0.7 else text[at:]


def flip(random: Random, text: bytes) -> bytes:
    """Some bits of some bytes are wrong."""
    changed = bytearray(text)
    for _ in range(random.randint(1, 8)):
        if changed:
            changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def strange_characters(random: Random, text: bytes) -> bytes:
    """Random unicode, any plane, in a random place."""
    characters = [
        chr(random.choice([random.randrange(1, 0xD800), random.randrange(0xE000, 0x110000)]))
        for _ in range(random.randint(1, 20))
    ]
    at = random.randint(0, len(text))
    return text[:at] + "".join(characters).encode() + text[at:]


def huge_line(random: Random, text: bytes) -> bytes:
    """One line as long as a minified file."""
    piece = random.choice(
        [b"x", b"a + ", b"(", b"f(", b"{", b'"', b"a b ", b"x = ", b"/*", b"[", b"\\"]
    )
    at = random.randint(0, len(text))
    return text[:at] + piece * (random.choice([100, 1000, 5000]) // len(piece)) + text[at:]


def shuffle(random: Random, text: bytes) -> bytes:
    """Words in the wrong order."""
    words = text.split(b" ")
    at, size = random.randint(0, len(words)), random.randint(2, 12)
    part = words[at : at + size]
    random.shuffle(part)
    return b" ".join(words[:at] + part + words[at + size :])


def drop_signs(random: Random, text: bytes) -> bytes:
    """Brackets, quotes, semicolons or line breaks are missing."""
    sign = random.choice([b"(", b")", b"{", b"}", b'"', b"'", b";", b"\n", b" ", b":"])
    return text.replace(sign, b"", random.randint(1, 5))


def repeat(random: Random, text: bytes) -> bytes:
    """A piece of it, many times."""
    start = random.randint(0, len(text))
    piece = text[start : start + random.randint(1, 60)]
    return text[:start] + piece * random.randint(2, 50) + text[start:]


MUTATIONS: tuple[Mutation, ...] = (
    cut,
    flip,
    strange_characters,
    huge_line,
    shuffle,
    drop_signs,
    repeat,
)


def mutated_inputs(seeds: Sequence[bytes], number: int, seed: int) -> Iterator[bytes]:
    """So many inputs, each made from one of the seeds by one to three mutations."""
    random = Random(seed)
    for _ in range(number):
        text = random.choice(seeds)
        for mutation in random.choices(MUTATIONS, k=random.randint(1, 3)):
            text = mutation(random, text)
        yield text
