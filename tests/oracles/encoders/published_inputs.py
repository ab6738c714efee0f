"""The published conversion of a snippet into features, in plain loops: slow and obvious.

It starts from tokens and graph rows `(token, sources)` and always fills 320 places.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Row = tuple[int, Sequence[int]]


@dataclass
class Features:
    ids: list[int]
    positions: list[int]
    mask: list[list[bool]]
    averaged: list[list[int]]
    """For each place, the places whose embeddings are averaged into it (nodes only)."""


def published_features(tokens: Sequence[str], graph: Sequence[Row], tokenizer: Any) -> Features:
    """Ids, positions and mask of 256 + 64 places."""
    places, for_nodes = 256 + 64, 64
    pieces: list[str] = []
    span_of_token: dict[int, tuple[int, int]] = {}
    for number, token in enumerate(tokens):
        if number == 0:
            cut = tokenizer.tokenize(token, split_special_tokens=True)
        else:
            cut = tokenizer.tokenize("@ " + token, split_special_tokens=True)[1:]
        span_of_token[number] = (len(pieces), len(pieces) + len(cut))
        pieces += cut

    pieces = pieces[: places - 3 - min(len(graph), for_nodes)]
    pieces = pieces[: 512 - 3]
    pieces = [tokenizer.cls_token, *pieces, tokenizer.sep_token]
    ids = [tokenizer.convert_tokens_to_ids(piece) for piece in pieces]
    positions = [place + 2 for place in range(len(ids))]
    code_places = len(ids)

    kept = list(graph)[: places - code_places]
    for _ in kept:
        ids.append(tokenizer.unk_token_id)
        positions.append(0)
    used = len(ids)
    while len(ids) < places:
        ids.append(tokenizer.pad_token_id)
        positions.append(1)

    node_of_token = {}
    for node, (token, _) in enumerate(kept):
        node_of_token[token] = node
    adjacent = [[node_of_token[s] for s in sources if s in node_of_token] for _, sources in kept]
    spans = [tuple(edge + 1 for edge in span_of_token[token]) for token, _ in kept]
    mask = _mask(places, code_places, used, spans, adjacent)
    averaged = []
    for place in range(places):
        row = mask[place] if code_places <= place < used else []
        averaged.append([other for other, sees in enumerate(row[:code_places]) if sees])
    return Features(ids, positions, mask, averaged)


def _mask(places, code_places, used, spans, adjacent):
    mask = [[False] * places for _ in range(places)]
    for row in range(code_places):
        for column in range(code_places):
            mask[row][column] = True
    for row in (0, code_places - 1):  # the only places that hold <s> and </s>
        for column in range(used):
            mask[row][column] = True
    for node, (start, end) in enumerate(spans):
        if start < code_places and end < code_places:
            for place in range(start, end):
                mask[code_places + node][place] = True
                mask[place][code_places + node] = True
    for node, others in enumerate(adjacent):
        for other in others:
            mask[code_places + node][code_places + other] = True
    return mask
