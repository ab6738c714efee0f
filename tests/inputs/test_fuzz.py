"""Damaged input gives a result or a ParseError, in bounded time, and nothing else."""

import random
import time

import pytest

from conftest import ROOT, count
from equimut.errors import ParseError
from equimut.inputs.encode import encode_graph, encode_graphs
from equimut.inputs.sequences import attention_mask
from equimut.inputs.subtokens import subtoken_graph
from equimut.inputs.window import EDIT, PAPER
from equimut.parsing.flow.graph import data_flow
from equimut.parsing.tree import parse
from equimut.records import Snippet
from oracles.encoders.small_tokenizer import encode, small_subtokenizer

SUFFIXES = {".java": "java", ".c": "c", ".py": "python"}
ODD = [
    *"\0\t\r\n\\\"'`{}()[]<>;:@#$é漢😀\u202e\ufeff\u2028ſ",
    "</s>",
    "/*",
    "*/",
    '"""',
    "//",
    "->",
]


def own_sources() -> list[tuple[bytes, str]]:
    paths = sorted(path for path in (ROOT / "src").rglob("*") if path.suffix in SUFFIXES)
    return [(path.read_bytes()[:1500], SUFFIXES[path.suffix]) for path in paths]


def damaged(text: bytes, chance: random.Random) -> bytes:
    """The text after one to four accidents."""
    for _ in range(chance.randint(1, 4)):
        at, other = sorted(chance.randrange(len(text) + 1) for _ in range(2))
        kind = chance.randrange(9)
        if kind == 0:
            text = text[:at]
        elif kind == 1:
            text = text[at:]
        elif kind == 2 and text:
            place = chance.randrange(len(text))
            text = (
                text[:place] + bytes([text[place] ^ 1 << chance.randrange(8)]) + text[place + 1 :]
            )
        elif kind == 3:
            text = text[:at] + "".join(chance.choices(ODD, k=9)).encode() + text[at:]
        elif kind == 4:
            text = text[:at] + chr(chance.randrange(1, 0xD7FF)).encode() + text[at:]
        elif kind == 5:
            unit = chance.choice([b"(", b"x+", b"{", b'"a', b"a ", b"\n", b"\xff"])
            text = text[:at] + unit * chance.choice([2, 20, 1000]) + text[at:]
        elif kind == 6:
            text = text.replace(b"\n", b" ")
        elif kind == 7:
            text = text[:at] + text[other:]
        else:
            text = text[:other] + text[at:]
    return text


def test_damaged_sources_give_results_or_parse_errors() -> None:
    chance = random.Random(20_000)
    tokenizer = small_subtokenizer()
    slowest, refused = 0.0, 0
    sources = [
        (text, language, subtoken_graph(data_flow(parse(text, language)), tokenizer))
        for text, language in own_sources()
    ]
    for _ in range(count(700, 20_000)):
        text, language, origin = chance.choice(sources)
        broken = damaged(text, chance)
        start = time.process_time()
        try:
            mutant = subtoken_graph(data_flow(parse(broken, language)), tokenizer)
        except ParseError:
            refused += 1
            continue
        encoded = encode_graph(mutant, tokenizer.special, PAPER)
        pair = encode_graphs(origin, mutant, special=tokenizer.special, limits=EDIT)
        slowest = max(slowest, time.process_time() - start)
        assert encoded.length <= PAPER.max_length
        assert pair.length <= EDIT.max_length
        assert attention_mask(encoded).any(axis=1).all()
        same_ids = pair.origin.ids.tolist() == pair.mutant.ids.tolist()
        assert same_ids == (origin.words == mutant.words)
    print(f"slowest {slowest:.2f} s, refused {refused}")
    assert slowest < 20


@pytest.mark.parametrize("language", ["java", "c", "python"])
@pytest.mark.parametrize(
    "text",
    [
        "(" * 10_000 + ")" * 10_000,
        "x = " + "(" * 10_000 + "1" + ")" * 10_000,
        "{" * 20_000,
        "x = " + "a + " * 30_000 + "a;",
        'x = "' + "word " * 100_000 + '";',
        "x" * 1_000_000,
        "-" * 100_000,
        "é" * 200_000,
    ],
    ids=["parentheses", "nested", "braces", "sum", "literal", "name", "minus", "unicode"],
)
def test_huge_input_is_encoded_in_bounded_time(text: str, language: str) -> None:
    start = time.process_time()
    try:
        encoded = encode(Snippet(text=text, language=language), small_subtokenizer(), EDIT)
    except ParseError:
        return
    finally:
        assert time.process_time() - start < 60
    assert encoded.length <= EDIT.max_length
