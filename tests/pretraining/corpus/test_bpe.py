"""The learnt tokenizer is a RoBERTa tokenizer that loses nothing and fits the code."""

import json
from pathlib import Path

import pytest
from transformers import AutoTokenizer

from conftest import ROOT
from equimut.errors import DataError
from equimut.inputs.subtokens import SubTokenizer
from equimut.pretraining.corpus.bpe import (
    SPECIAL,
    fertility,
    save_tokenizer,
    smaller,
    train_bpe,
    words_of,
)
from equimut.pretraining.corpus.build import build_corpus, make_piece
from equimut.pretraining.corpus.exclusions import Exclusions
from equimut.pretraining.corpus.sources import files_below
from equimut.pretraining.corpus.store import Corpus

SIZE = 1000


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """The project's own sources, as a corpus of three languages."""
    out = tmp_path_factory.mktemp("corpus")
    files = [
        file
        for language, folder in (("python", "parsing"), ("java", "data"), ("c", "data"))
        for file in files_below(ROOT / "src" / "equimut" / folder, language, folder)
    ]
    with pytest.MonkeyPatch.context() as patch:  # in this process: quicker for so little
        patch.setattr("equimut.pretraining.corpus.build.make_pieces", _pieces)
        build_corpus(files, [], out, work=out, excluded=Exclusions({}, frozenset()))
    return Corpus(out)


def _pieces(files: list, work: Path, jobs: int, progress: object) -> list[Path]:
    path = work / f"{files[0].language}.npz"
    make_piece(files, path)
    return [path]


@pytest.fixture(scope="module")
def saved(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("tokenizer")
    save_tokenizer(train_bpe(corpus, SIZE), directory)
    return directory


def test_files_are_those_of_hugging_face(saved: Path) -> None:
    names = {path.name for path in saved.iterdir()}
    assert {"tokenizer.json", "tokenizer_config.json", "vocab.json", "merges.txt"} <= names
    vocabulary = json.loads((saved / "vocab.json").read_text())
    assert sorted(vocabulary.values()) == list(range(SIZE))
    merges = (saved / "merges.txt").read_text().splitlines()
    assert len([line for line in merges if not line.startswith("#version")]) == SIZE - 256 - 5


def test_auto_tokenizer_opens_a_fast_roberta_tokenizer(saved: Path) -> None:
    tokenizer = AutoTokenizer.from_pretrained(saved)
    assert tokenizer.is_fast
    assert "Roberta" in type(tokenizer).__name__
    assert tokenizer.convert_tokens_to_ids(list(SPECIAL)) == [0, 1, 2, 3, 4]
    assert len(tokenizer) == SIZE
    ids = tokenizer("return a;")["input_ids"]
    assert (ids[0], ids[-1]) == (0, 2)
    assert tokenizer.mask_token_id == 4
    assert tokenizer.pad_token_id == 1


def test_opened_tokenizer_cuts_as_the_learnt_one_did(corpus: Corpus, saved: Path) -> None:
    learnt = SubTokenizer.of(train_bpe(corpus, SIZE))
    opened = SubTokenizer.of(AutoTokenizer.from_pretrained(saved))
    for function in corpus.functions(per_language=20):
        words = words_of(function)
        assert learnt.split(words) == opened.split(words)


@pytest.mark.parametrize("text", ["int größe = 1;", "日本", "\x01\U0001f600", "a</s>b <mask>"])
def test_no_text_is_unknown_and_all_of_it_comes_back(text: str, saved: Path) -> None:
    cut = SubTokenizer.of(AutoTokenizer.from_pretrained(saved))
    ids, _ = cut.split([text])
    assert min(ids) >= len(SPECIAL)
    assert cut.backend.decode(ids) == text


def test_common_words_of_every_language_stay_whole(saved: Path) -> None:
    cut = SubTokenizer.of(AutoTokenizer.from_pretrained(saved))
    for word in ("return", "int", "(", ")", "if", "==", "def", "static"):
        ids, _ = cut.split(["x", word])
        assert len(ids) == 2, word


def test_fertility_counts_what_a_plain_loop_counts(corpus: Corpus, saved: Path) -> None:
    tokenizer = AutoTokenizer.from_pretrained(saved)
    measured = {each.language: each for each in fertility(corpus, tokenizer, "train", 10)}
    assert set(measured) == {"python", "java", "c"}
    for language, each in measured.items():
        words = [w for f in corpus.functions("train", [language], 10) for w in words_of(f)]
        cuts = [len(tokenizer.tokenize(f" {word}")) for word in words]
        assert each.code_tokens == len(words)
        # The first word of each of the 10 functions has no space before it.
        assert abs(each.sub_tokens - sum(cuts)) <= 30
        assert each.per_token == each.sub_tokens / each.code_tokens > 1
        assert 0.3 < each.whole < 1


@pytest.mark.parametrize("size", [261, 700])
def test_smaller_vocabulary_is_what_learning_it_gives(size: int, corpus: Corpus) -> None:
    shortened, learnt = smaller(train_bpe(corpus, SIZE), size), train_bpe(corpus, size)
    assert shortened.get_vocab() == learnt.get_vocab()
    models = (json.loads(each.backend_tokenizer.to_str())["model"] for each in (shortened, learnt))
    assert len({json.dumps(model["merges"]) for model in models}) == 1


def test_larger_vocabulary_cuts_less(corpus: Corpus) -> None:
    small, large = (
        [each.per_token for each in fertility(corpus, train_bpe(corpus, size), "train", 20)]
        for size in (400, 2000)
    )
    assert all(more > less for more, less in zip(small, large, strict=True))


def test_vocabulary_smaller_than_the_bytes_is_refused(corpus: Corpus) -> None:
    with pytest.raises(DataError, match="at least 261 tokens"):
        train_bpe(corpus, 100)
