"""A saved detector that judges without torch: onnxruntime runs encoder and head."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from equimut.errors import DataError, EquimutError
from equimut.inputs.sequences import LongArray, Sequences
from equimut.inputs.subtokens import TOKEN_ROLES, SubTokenizer
from equimut.models.directory_check import check_directory, check_family, model_type_of
from equimut.models.onnx_graph import (
    EncoderShape,
    Graph,
    Weights,
    encoder_graph,
    head_graph,
    outside,
)
from equimut.models.scoring import Floats, HeadOutput, PairModel, View
from equimut.models.settings import (
    ENCODER,
    HEAD,
    DetectorSettings,
    existing_directory,
    read_settings,
)
from equimut.storage.worker_pool import cores

_PREFIX = "roberta."
"""Of the names of weights, where a whole language model was saved."""


class NeedsTorch(EquimutError):
    """A detector that onnxruntime is not asked to run: something of it is out of the ordinary."""


def load_model(name_or_path: str | Path, *, threads: int | None = None) -> PairModel:
    """A detector that judges: by onnxruntime, or by torch where that alone can run it."""
    try:
        return OnnxDetector.from_pretrained(name_or_path, threads=threads)
    except NeedsTorch:
        from equimut.models.detector import Detector

        return Detector.from_pretrained(name_or_path)


class OnnxDetector(PairModel):
    """A detector that judges and does not train."""

    positions_per_batch = 1024  # measured: more does not fit the processor's cache

    def __init__(
        self,
        settings: DetectorSettings,
        tokenizer: SubTokenizer,
        encoder: Weights,
        head: Weights,
        shape: EncoderShape,
        threads: int,
    ) -> None:
        positions, self._hidden = encoder[_PLACES].shape[0] - 2, int(encoder[_WORDS].shape[1])
        self.settings = settings.fitting(positions)
        self.sub_tokenizer = tokenizer
        self._edits = settings.pooling == "edit"
        self._wide = head.get("wide.weight")
        self._encoder = _session(*encoder_graph(encoder, shape, edits=self._edits), threads)
        self._head = _session(
            *head_graph(
                head,
                self._hidden,
                edits=self._edits,
                normalize=settings.normalize_embeddings,
                distance=settings.distance,
            ),
            threads,
        )

    @classmethod
    def from_pretrained(
        cls, name_or_path: str | Path, *, threads: int | None = None
    ) -> "OnnxDetector":
        """Load what `Detector.save_pretrained` wrote; `threads` are those of the network."""
        directory = existing_directory(name_or_path)
        settings = read_settings(directory)
        check_directory(directory)
        place = directory / ENCODER
        check_family(str(place), model_type_of(place))
        config = json.loads((place / "config.json").read_bytes())
        shape, wanted = _shape(place, config)
        encoder = _read_weights(place / "model.safetensors", wanted, f"encoder {place}")
        head = _read_weights(directory / HEAD, _head_shapes(settings, config["hidden_size"]))
        tokenizer = read_tokenizer(place, settings.mode)
        return cls(settings, tokenizer, encoder, head, shape, threads or cores())

    @property
    def hidden_size(self) -> int:
        """Width of an embedding."""
        return self._hidden

    def view_rows(self, views: Sequence[View]) -> Floats:
        """[V, hidden or 2 x hidden]: CLS of each view; with edit pooling also its edit's mean."""
        places: dict[Any, int] = {}
        rows = [places.setdefault(snippet, len(places)) for snippet, _ in views]
        batch = Sequences.of(list(places), self.sub_tokenizer.special)
        sizes = np.diff(batch.node_offsets, append=len(batch.node_ids))
        inputs: dict[str, npt.NDArray[Any]] = {
            "input_ids": batch.input_ids,
            "position_ids": batch.position_ids,
            "attention_mask": batch.attention_mask,
            "node_places": np.stack([batch.node_rows, batch.node_columns], axis=1),
            "node_ids": batch.node_ids,
            "node_of": np.repeat(np.arange(len(sizes)), sizes)[:, None],
            "node_share": np.repeat(1 / np.maximum(sizes, 1), sizes)[:, None].astype(np.float32),
        }
        inputs |= self._wanted(views, np.array(rows) * batch.input_ids.shape[1])
        (found,) = self._encoder.run(["features"], inputs)
        return np.asarray(found, np.float32)

    def _wanted(self, views: Sequence[View], starts: npt.NDArray[Any]) -> dict[str, Any]:
        """The positions whose states are wanted, each once, and what they are wanted for."""
        if not self._edits:
            places, first = np.unique(starts, return_inverse=True)
            return {"places": places, "starts": first}
        edits = np.array([edit for _, edit in views])
        sizes = edits[:, 1] - edits[:, 0]
        view = np.repeat(np.arange(len(views)), sizes)
        within = np.arange(len(view)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        edited = starts[view] + edits[view, 0] + within
        places, found = np.unique(np.concatenate([starts, edited]), return_inverse=True)
        return {
            "places": places,
            "starts": found[: len(starts)],
            "edited": found[len(starts) :],
            "edited_of": view[:, None],
            "edited_share": (1 / sizes[view])[:, None].astype(np.float32),
        }

    def head_output(
        self, origin: Floats, mutant: Floats, features: tuple[LongArray, LongArray]
    ) -> HeadOutput:
        """Logits from the rows of both sides, buckets in a row, and where each pair's start."""
        inputs: dict[str, npt.NDArray[Any]] = {"origin": origin, "mutant": mutant}
        if self._wide is not None:
            flat, offsets = features
            sizes = np.diff(offsets, append=len(flat))
            inputs |= {
                "buckets": flat,
                "bucket_of": np.repeat(np.arange(len(sizes)), sizes)[:, None],
            }
        logits, state = self._head.run(["logits", "state"], inputs)
        return HeadOutput(np.asarray(logits, np.float32), np.asarray(state, np.float32))

    def feature_weights(self) -> Floats | None:
        """[buckets] The weight of each feature; None for a head without features."""
        return None if self._wide is None else self._wide[:, 0]


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


def _session(graph: Graph, model: bytes, threads: int) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3  # it warns of things that are none of a user's business
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    weights = outside(graph)
    values = [onnxruntime.OrtValue.ortvalue_from_numpy(value) for value in weights.values()]
    options.add_external_initializers(list(weights), values)
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


_WORDS, _PLACES = "embeddings.word_embeddings.weight", "embeddings.position_embeddings.weight"
_SIZES = {"hidden_size", "vocab_size", "max_position_embeddings", "intermediate_size",
          "num_hidden_layers"}  # fmt: skip
_Shapes = dict[str, tuple[int, ...]]


def _shape(place: Path, config: Mapping[str, Any]) -> tuple[EncoderShape, _Shapes]:
    """What the graph must know, and the shapes that the weights must have."""
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
        _WORDS: (config["vocab_size"], width),
        _PLACES: (config["max_position_embeddings"], width),
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
