"""A saved detector that judges without torch: numpy runs encoder and head."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from equimut.errors import DataError, EquimutError
from equimut.inputs.encode import EncodedSnippet
from equimut.inputs.sequences import LongArray
from equimut.inputs.subtokens import TOKEN_ROLES, SubTokenizer
from equimut.models.directory_check import check_directory, check_family, model_type_of
from equimut.models.network import POSITIONS, WORDS, Encoder, Head
from equimut.models.network_layers import EncoderShape, Weights
from equimut.models.scoring import Floats, HeadOutput, PairModel, View
from equimut.models.settings import (
    ENCODER,
    HEAD,
    DetectorSettings,
    existing_directory,
    read_settings,
)

_PREFIX = "roberta."
"""Of the names of weights, where a whole language model was saved."""


class NeedsTorch(EquimutError):
    """A detector that is not run here: something of it is out of the ordinary."""


def load_model(name_or_path: str | Path) -> PairModel:
    """A detector that judges: by numpy, or by torch where that alone can run it."""
    try:
        return NumpyDetector.from_pretrained(name_or_path)
    except NeedsTorch:
        from equimut.models.detector import Detector

        return Detector.from_pretrained(name_or_path)


class NumpyDetector(PairModel):
    """A detector that judges and does not train."""

    positions_per_batch = 1536  # measured: fewer are slower, more are not faster

    def __init__(
        self,
        settings: DetectorSettings,
        tokenizer: SubTokenizer,
        encoder: Weights,
        head: Weights,
        shape: EncoderShape,
    ) -> None:
        self.settings = settings.fitting(encoder[POSITIONS].shape[0] - 2)
        self.sub_tokenizer = tokenizer
        self._edits = settings.pooling == "edit"
        self._encoder = Encoder(encoder, shape)
        self._head = Head(
            head,
            edits=self._edits,
            normalize=settings.normalize_embeddings,
            distance=settings.distance,
        )

    @classmethod
    def from_pretrained(cls, name_or_path: str | Path) -> "NumpyDetector":
        """Load what `Detector.save_pretrained` wrote."""
        directory = existing_directory(name_or_path)
        settings = read_settings(directory)
        check_directory(directory)
        place = directory / ENCODER
        check_family(str(place), model_type_of(place))
        config = json.loads((place / "config.json").read_bytes())
        shape, wanted = _shape(place, config)
        encoder = _read_weights(place / "model.safetensors", wanted, f"encoder {place}")
        head = _read_weights(directory / HEAD, _head_shapes(settings, config["hidden_size"]))
        return cls(settings, read_tokenizer(place, settings.mode), encoder, head, shape)

    @property
    def hidden_size(self) -> int:
        """Width of an embedding."""
        return self._encoder.hidden_size

    def view_rows(self, views: Sequence[View]) -> Floats:
        """[V, hidden or 2 x hidden]: CLS of each view; with edit pooling also its edit's mean."""
        edits: dict[EncodedSnippet, set[int]] = {}
        for snippet, edit in views:
            edits.setdefault(snippet, {0}).update(range(*edit) if self._edits else ())
        wanted = [np.array(sorted(places), np.int64) for places in edits.values()]
        states = self._encoder.states(list(edits), wanted)
        first = np.cumsum([0, *map(len, wanted)]).tolist()
        place_of = dict(zip(edits, zip(first, wanted, strict=False), strict=True))
        rows = []
        for snippet, (start, end) in views:
            at, places = place_of[snippet]
            parts = [states[at]]
            if self._edits:  # the positions of an edit follow each other
                begin = at + int(np.searchsorted(places, start))
                parts.append(states[begin : begin + end - start].mean(axis=0))
            rows.append(np.concatenate(parts))
        return np.stack(rows)

    def head_output(
        self, origin: Floats, mutant: Floats, features: tuple[LongArray, LongArray]
    ) -> HeadOutput:
        """Logits from the rows of both sides, buckets in a row, and where each pair's start."""
        return HeadOutput(*self._head(origin, mutant, features))

    def feature_weights(self) -> Floats | None:
        """[buckets] The weight of each feature; None for a head without features."""
        return None if self._head.wide is None else self._head.wide[:, 0]


def read_tokenizer(directory: Path, mode: str = "") -> SubTokenizer:
    """The tokenizer in the directory of an encoder, without transformers."""
    from tokenizers import Tokenizer

    path = directory / "tokenizer.json"
    try:
        backend = Tokenizer.from_file(str(path))
    except Exception as error:  # whatever the library says about the files of a stranger
        reason = str(error).strip().split("\n")[0]
        raise DataError(f"{path}: cannot be loaded: {reason}") from error
    named: dict[str, Any] = {}
    for name in ("special_tokens_map.json", "tokenizer_config.json"):
        if (directory / name).is_file():
            found = _json(directory / name)
            named |= found if isinstance(found, dict) else {}
    ids = {}
    for role in TOKEN_ROLES:
        token = named.get(f"{role}_token")
        token = token.get("content") if isinstance(token, dict) else token
        ids[role] = backend.token_to_id(token) if isinstance(token, str) else None
    return SubTokenizer.make(backend, ids, mode)


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}: not JSON: {error}") from error


_SIZES = {"hidden_size", "vocab_size", "max_position_embeddings", "intermediate_size",
          "num_hidden_layers"}  # fmt: skip
_Shapes = dict[str, tuple[int, ...]]


def _shape(place: Path, config: Mapping[str, Any]) -> tuple[EncoderShape, _Shapes]:
    """What the weights do not tell, and the shapes that the weights must have."""
    width, heads = config.get("hidden_size", 0), config.get("num_attention_heads")
    if not isinstance(heads, int) or heads < 1 or width % heads:
        raise DataError(
            f"encoder {place}: cannot be loaded: {str(heads)[:40]!r} heads for a width of {width}"
        )
    epsilon, types = config.get("layer_norm_eps"), config.get("type_vocab_size")
    usual = config.get("hidden_act") == "gelu" and config.keys() >= _SIZES
    absolute = config.get("position_embedding_type", "absolute") == "absolute"
    known = isinstance(epsilon, float) and isinstance(types, int) and types > 0
    if epsilon is None or types is None or not (usual and absolute and known):
        raise NeedsTorch(f"encoder {place}: something of it is out of the ordinary and needs torch")
    inner, layers = config["intermediate_size"], config["num_hidden_layers"]
    shapes: _Shapes = {
        WORDS: (config["vocab_size"], width),
        POSITIONS: (config["max_position_embeddings"], width),
        "embeddings.token_type_embeddings.weight": (types, width),
    }
    norms = ["embeddings.LayerNorm"]
    dense: dict[str, tuple[int, int]] = {}
    for layer in range(layers):
        name = f"encoder.layer.{layer}"
        own = f"{name}.attention"
        dense |= {f"{own}.self.{part}": (width, width) for part in ("query", "key", "value")}
        dense[f"{own}.output.dense"] = (width, width)
        dense[f"{name}.intermediate.dense"] = (inner, width)
        dense[f"{name}.output.dense"] = (width, inner)
        norms += [f"{own}.output.LayerNorm", f"{name}.output.LayerNorm"]
    shapes |= _dense_shapes(dense)
    shapes |= {f"{name}.{part}": (width,) for name in norms for part in ("weight", "bias")}
    return EncoderShape(layers, heads, epsilon), shapes


def _head_shapes(settings: DetectorSettings, width: int) -> _Shapes:
    from equimut.inputs.edit_features.surroundings import BUCKETS

    parts = 5 if settings.pooling == "edit" else 2
    dense = {"dense": (width, parts * width), "out": (2, width)}
    if settings.distance is not None:
        dense["near"] = (1, 2)
    shapes = _dense_shapes(dense)
    if settings.distance is not None:
        shapes["verges"] = (2,)
    if settings.features:
        shapes["wide.weight"] = (BUCKETS, 1)
    return shapes


def _dense_shapes(dense: Mapping[str, tuple[int, int]]) -> _Shapes:
    shapes: _Shapes = {f"{name}.weight": shape for name, shape in dense.items()}
    return shapes | {f"{name}.bias": shape[:1] for name, shape in dense.items()}


def _read_weights(path: Path, wanted: _Shapes, whose: str = "") -> Weights:
    """Weights in single precision; an error where one is missing or of another shape."""
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    whose = whose or str(path)
    try:
        if not path.is_file():
            raise FileNotFoundError("no such file, or not a plain one")
        found = {name.removeprefix(_PREFIX): value for name, value in load_file(path).items()}
    except (OSError, SafetensorError, KeyError, TypeError) as error:
        reason = str(error).strip().split("\n")[0]
        raise DataError(f"{path}: cannot be loaded: {reason}") from error
    if missing := sorted(wanted.keys() - found.keys()):
        raise DataError(
            f"{whose}: {len(missing)} weights are not in its files (such as {missing[0]}); "
            "they do not belong to this architecture"
        )
    for name, shape in wanted.items():
        if found[name].shape != shape:
            raise DataError(
                f"{whose}: cannot be loaded: {name} has the shape {found[name].shape}, not {shape}"
            )
    return {name: found[name].astype(np.float32) for name in wanted}
