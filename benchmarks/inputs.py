"""From source text to batches, on one core: how fast, and how much smaller than padded.

python benchmarks/inputs.py [--json] [--data DIRECTORY]

Uses the EMD pairs (Java) where they are, or else pairs made of the project's own Java sources.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch

from equimut.data.published.emd import read_emd
from equimut.inputs.batch import Collator
from equimut.inputs.buckets import length_buckets
from equimut.inputs.cache import EncodingCache
from equimut.inputs.encode import EncodedPair, EncodedSnippet, PairEncoder, encode_graph
from equimut.inputs.sequences import attention_mask
from equimut.inputs.subtokens import SubTokenizer, read_snippet
from equimut.inputs.window import EDIT, PAPER
from equimut.parsing.flow.graph import data_flow
from equimut.parsing.tree import parse
from equimut.records import Pair, Snippet

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from oracles.encoders.small_tokenizer import small_tokenizer  # noqa: E402

PLACES = 320


def loop_mask(snippet: EncodedSnippet) -> np.ndarray:
    """The mask of the padded form, one place at a time."""
    mask = np.zeros((PLACES, PLACES), bool)
    tokens, total = snippet.token_count, snippet.length
    for row in range(tokens):
        for column in range(tokens):
            mask[row, column] = True
    for row in (0, tokens - 1):
        for column in range(total):
            mask[row, column] = True
    for node, (start, end) in enumerate(snippet.node_spans):
        for place in range(start, end):
            mask[tokens + node, place] = mask[place, tokens + node] = True
    for node, source in snippet.edges:
        mask[tokens + node, tokens + source] = True
    for row in range(PLACES):
        if not mask[row].any():
            mask[row, row] = True
    return mask


def sliced_mask(snippet: EncodedSnippet) -> np.ndarray:
    """The same with slices in a loop over places, nodes and edges, as published."""
    mask = np.zeros((PLACES, PLACES), bool)
    tokens, total = snippet.token_count, snippet.length
    mask[:tokens, :tokens] = True
    for place, number in enumerate([*snippet.ids.tolist(), *[3] * snippet.node_count]):
        if number in (0, 2):
            mask[place, :total] = True
    for node, (start, end) in enumerate(snippet.node_spans.tolist()):
        if start < tokens and end < tokens:
            mask[tokens + node, start:end] = True
            mask[start:end, tokens + node] = True
    for node, source in snippet.edges.tolist():
        mask[tokens + node, tokens + source] = True
    return mask  # places that see nothing are left so


def padded_batches(encoded: Sequence[EncodedPair], size: int) -> None:
    """An epoch as published: both sides of every pair, each padded, masks made each time."""
    for start in range(0, len(encoded), size):
        rows: list[list[torch.Tensor]] = []
        for pair in encoded[start : start + size]:
            row = []
            for side in (pair.origin, pair.mutant):
                padding = [1] * (PLACES - side.length)
                ids = [*side.ids.tolist(), *[3] * side.node_count, *padding]
                positions = [*range(2, 2 + side.token_count), *[0] * side.node_count, *padding]
                mask = torch.tensor(sliced_mask(side))
                row += [torch.tensor(ids), torch.tensor(positions), mask]
            rows.append(row)
        _ = [torch.stack(column) for column in zip(*rows, strict=True)]


def seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """Processor time, best of a few calls: the machine may be busy with other things."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def load_pairs(directory: Path) -> tuple[str, list[Pair]]:
    """The EMD test pairs, or a mutant of each own Java source by each of a few replacements."""
    if (directory / "emd").is_dir():
        return "EMD test set", [pair for pair in read_emd(directory) if pair.split == "test"]
    edits = (("<", "<="), ("+", "-"), ("==", "!="), ("0", "1"), ("return ", "return -"))
    origins = [path.read_text() for path in sorted((ROOT / "src").rglob("*.java"))]
    pairs = [
        Pair(
            id=f"{number}-{old}",
            source="own",
            language="java",
            class_id=number,
            program="",
            operators=(),
            origin=origin,
            mutant=origin.replace(old, new, 1),
            label=0,
            split="test",
        )
        for number, origin in enumerate(origins)
        for old, new in edits
        if old in origin
    ]
    return "own Java sources (the EMD files are not here)", pairs


def measure_encoding(pairs: Sequence[Pair], tokenizer: SubTokenizer) -> dict[str, float]:
    """Snippets a second, each parsed and encoded from nothing."""
    texts = sorted({text for pair in pairs for text in (pair.origin, pair.mutant)})[:600]
    snippets = [Snippet(text=text, language="java") for text in texts]
    words = [[token.text for token in data_flow(parse(text, "java")).tokens] for text in texts]

    def ask_the_tokenizer() -> None:
        for each in words:
            tokenizer.backend.encode(
                [f" {word}" for word in each], is_pretokenized=True, add_special_tokens=False
            )

    spent = seconds(
        lambda: [
            encode_graph(read_snippet(snippet, tokenizer), tokenizer.special, PAPER)
            for snippet in snippets
        ]
    )
    parsing = seconds(lambda: [data_flow(parse(text, "java")) for text in texts])
    remembered = seconds(lambda: [tokenizer.split(each) for each in words])
    return {
        "snippets per second, parsed and encoded": len(snippets) / spent,
        "snippets per second, parsed only": len(snippets) / parsing,
        "sub-tokens: remembered words against asking the tokenizer": seconds(ask_the_tokenizer)
        / remembered,
    }


def measure_masks(encoded: Sequence[EncodedPair]) -> dict[str, float]:
    """Time of the plain loops over ours, both for the padded 320 x 320 form."""
    snippets = [pair.mutant for pair in encoded[:60]]
    for snippet in snippets:
        ours = attention_mask(snippet, PLACES)
        assert np.array_equal(ours, loop_mask(snippet))
        assert not (sliced_mask(snippet) & ~ours).any()
    ours = seconds(lambda: [attention_mask(each, PLACES) for each in snippets], 9)
    exact = seconds(lambda: [attention_mask(each) for each in snippets], 9)
    loops = seconds(lambda: [loop_mask(each) for each in snippets], 2)
    slices = seconds(lambda: [sliced_mask(each) for each in snippets], 5)
    return {
        "masks per second": len(snippets) / ours,
        "mask: plain loops over ours": loops / ours,
        "mask: loops with slices over ours": slices / ours,
        "mask: loops with slices, padded, over ours, unpadded": slices / exact,
    }


def measure_epoch(pairs: Sequence[Pair], tokenizer: SubTokenizer, size: int) -> dict[str, float]:
    """Preparing every batch once: from text, from the cache, and from encoded pairs."""
    collator = Collator(tokenizer.special)

    def prepare(cache: EncodingCache | None) -> None:
        batches(PairEncoder(tokenizer, PAPER, cache).encode_all(pairs))

    def batches(encoded: Sequence[EncodedPair]) -> None:
        for indices in length_buckets([pair.length for pair in encoded], size):
            collator([encoded[index] for index in indices])

    encoded = PairEncoder(tokenizer, PAPER).encode_all(pairs)
    with tempfile.TemporaryDirectory() as directory:
        prepare(EncodingCache(directory))
        cached = seconds(lambda: prepare(EncodingCache(directory)), 2)
    collated = seconds(lambda: batches(encoded))
    padded = seconds(lambda: padded_batches(encoded, size))
    return {
        "pairs": len(pairs),
        "first epoch, from text, seconds": seconds(lambda: prepare(None), 2),
        "first epoch, from the cache, seconds": cached,
        "later epochs, seconds": collated,
        "later epochs: published form over ours": padded / collated,
    }


def measure_memory(pairs: Sequence[Pair], tokenizer: SubTokenizer, size: int) -> dict[str, float]:
    """Bytes of all batches over those of the padded form, which holds both sides of each pair."""
    found = {}
    for limits in (PAPER, EDIT):
        encoded = PairEncoder(tokenizer, limits).encode_all(pairs)
        collator = Collator(tokenizer.special)
        ours = sum(
            tensor.nbytes
            for indices in length_buckets([pair.length for pair in encoded], size)
            for tensor in vars(collator([encoded[index] for index in indices])).values()
        )
        # A bool per mask place, eight bytes per id and position, for two sequences a pair.
        padded = len(pairs) * 2 * (PLACES * PLACES + 2 * 8 * PLACES)
        found[f"memory: padded form over ours, {limits.name}"] = padded / ours
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--batch", type=int, default=4, help="pairs of a batch")
    shared = Path(os.environ.get("EQUIMUT_SHARED", ROOT.parent / "shared"))
    parser.add_argument("--data", type=Path, default=shared / "data")
    options = parser.parse_args()
    torch.set_num_threads(1)
    tokenizer = SubTokenizer.of(small_tokenizer())
    name, pairs = load_pairs(options.data)
    results = {
        **measure_encoding(pairs, tokenizer),
        **measure_masks(PairEncoder(tokenizer, PAPER).encode_all(pairs[:60])),
        **measure_epoch(pairs, tokenizer, options.batch),
        **measure_memory(pairs, tokenizer, options.batch),
    }
    if options.json:
        print(json.dumps({"data": name, **results}, indent=2))
        return
    print(f"{name}, {len(pairs)} pairs, batches of {options.batch}, one core")
    for what, value in results.items():
        print(f"  {what:<62} {value:10.2f}")


if __name__ == "__main__":
    main()
