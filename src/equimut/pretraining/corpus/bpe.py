"""A byte-level BPE learnt from the corpus, in RoBERTa's layout for Hugging Face."""

import json
from collections.abc import Iterator
from itertools import pairwise, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from equimut.errors import DataError
from equimut.parsing.tokens import tokenize
from equimut.parsing.tree import parse
from equimut.pretraining.corpus.functions import CorpusFunction
from equimut.pretraining.corpus.store import Corpus, Part
from equimut.records import Record

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from transformers import PreTrainedTokenizerFast

SPECIAL = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")
"""RoBERTa's special tokens with RoBERTa's ids 0 to 3; the mask has 4."""
BYTES = 256
MAX_POSITIONS = 514
LEARN_FROM = 20_000
"""Functions of each language: more of them change the vocabulary hardly at all."""


class Fertility(Record):
    """How a tokenizer cuts held-out code of one language."""

    language: str
    code_tokens: int
    sub_tokens: int
    whole: float
    """Share of code tokens that stay one sub-token."""

    @property
    def per_token(self) -> float:
        """Sub-tokens per code token."""
        return self.sub_tokens / max(self.code_tokens, 1)


def words_of(function: CorpusFunction) -> list[str]:
    """The code tokens of a function."""
    return [token.text for token in tokenize(parse(function.text, function.language))]


def train_bpe(corpus: Corpus, size: int) -> "PreTrainedTokenizerFast":
    """Learn a vocabulary of `size` tokens, special tokens included, from every language alike.

    A space stands before every code token, as in the model's input; merges never cross it.
    """
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    _check_size(size)
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        special_tokens=list(SPECIAL),
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train_from_iterator(_lines(corpus), trainer)
    return _roberta(tokenizer, size)


def smaller(tokenizer: "PreTrainedTokenizerFast", size: int) -> "PreTrainedTokenizerFast":
    """The tokenizer that learning fewer tokens from the same text would have given.

    Merges are learnt greedily, so a smaller vocabulary is the beginning of a larger one.
    """
    _check_size(size)
    return _roberta(tokenizer.backend_tokenizer, size)


def _check_size(size: int) -> None:
    smallest = len(SPECIAL) + BYTES
    if size < smallest:
        raise DataError(f"a byte-level vocabulary has at least {smallest} tokens, not {size}")


def _roberta(tokenizer: "Tokenizer", size: int) -> "PreTrainedTokenizerFast":
    from transformers import RobertaTokenizerFast

    model = json.loads(tokenizer.to_str())["model"]
    vocabulary = {token: id for token, id in model["vocab"].items() if id < size}
    # Not a list comprehension: once the vocabulary was full, nothing more would have been learnt.
    merges: Any = list(
        takewhile(lambda two: "".join(two) in vocabulary, map(tuple, model["merges"]))
    )
    return RobertaTokenizerFast(vocab=vocabulary, merges=merges, model_max_length=MAX_POSITIONS - 2)


def _lines(corpus: Corpus) -> Iterator[str]:
    """Each language gives as many functions as the smallest can, up to the wanted number."""
    languages = corpus.index.languages
    fair = min([LEARN_FROM, *(corpus.index.count(each, "train") for each in languages)])
    for function in corpus.functions("train", per_language=fair):
        yield " " + " ".join(words_of(function))


def save_tokenizer(tokenizer: "PreTrainedTokenizerFast", directory: Path) -> None:
    """Write tokenizer.json, tokenizer_config.json, vocab.json and merges.txt."""
    directory.mkdir(parents=True, exist_ok=True)
    tokenizer.save_pretrained(directory)
    tokenizer.backend_tokenizer.model.save(str(directory))


def fertility(
    corpus: Corpus,
    tokenizer: "PreTrainedTokenizerFast",
    part: Part = "held-out",
    per_language: int = 1000,
) -> list[Fertility]:
    """Sub-tokens per code token, by language, on functions the tokenizer never saw."""
    from equimut.inputs.subtokens import SubTokenizer

    cut = SubTokenizer.of(tokenizer)
    measured = []
    for language in corpus.index.languages:
        code = subs = whole = 0
        for function in corpus.functions(part, [language], per_language):
            _, starts = cut.split(words_of(function))
            code += len(starts) - 1
            subs += starts[-1]
            whole += sum(b - a == 1 for a, b in pairwise(starts))
        measured.append(
            Fertility(
                language=language, code_tokens=code, sub_tokens=subs, whole=whole / max(code, 1)
            )
        )
    return measured
