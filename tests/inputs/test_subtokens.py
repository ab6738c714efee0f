"""Words become the sub-tokens the tokenizer itself gives after a space; fingerprints are stable."""

import os
import pickle
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers
from transformers import AutoTokenizer, PreTrainedTokenizerFast

from equimut.errors import EquimutError
from equimut.inputs.subtokens import SubTokenizer
from oracles.encoders.small_tokenizer import small_subtokenizer, small_tokenizer

WORD = st.text(min_size=1, max_size=12).filter(lambda text: not text[0].isspace())
CODE = ["int", "f", "(", "int", "count", ")", "{", "return", "count", "++", ";", "}"]
SENTENCES = ["int f ( int count ) { return count ++ ; }", "a b c x y z"]


def word_piece() -> PreTrainedTokenizerFast:
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    trainer = trainers.WordPieceTrainer(special_tokens=special, show_progress=False)
    tokenizer.train_from_iterator(SENTENCES, trainer)
    names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names)


def sentence_pieces(prepended: bool) -> PreTrainedTokenizerFast:
    """Either way to mark a word's start: a pre-tokenizer, or a normalizer that adds a space."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>"))
    if prepended:
        steps = [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
        tokenizer.normalizer = normalizers.Sequence(steps)
    else:
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    trainer = trainers.BpeTrainer(special_tokens=["<unk>", "<s>", "</s>"], show_progress=False)
    tokenizer.train_from_iterator(SENTENCES * 3, trainer)
    names = {"unk_token": "<unk>", "bos_token": "<s>", "eos_token": "</s>"}
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names)


@given(st.lists(WORD, max_size=8))
def test_every_word_but_the_first_is_cut_as_if_a_space_stood_before_it(words: list[str]) -> None:
    tokenizer = small_tokenizer()
    ids, starts = small_subtokenizer().split(words)
    for number, word in enumerate(words):
        text = word if number == 0 else f" {word}"
        expected = tokenizer.encode(text, add_special_tokens=False, split_special_tokens=True)
        assert ids[starts[number] : starts[number + 1]] == expected
    assert starts[0] == 0
    assert starts[-1] == len(ids)


def test_text_of_a_program_cannot_make_special_tokens() -> None:
    ids, _ = small_subtokenizer().split(["</s>", '"</s>"', "<mask>", "<pad>", "<s>"])
    assert min(ids) > 4
    assert small_tokenizer().encode(" </s>", add_special_tokens=False)[-1] == 2  # it could


@pytest.mark.parametrize(
    "tokenizer",
    [word_piece(), sentence_pieces(True), sentence_pieces(False)],
    ids=["word-piece", "prepended", "metaspace"],
)
def test_other_kinds_of_tokenizers_work(tokenizer: PreTrainedTokenizerFast) -> None:
    wrapped = SubTokenizer.of(tokenizer)
    ids, starts = wrapped.split(CODE)
    spelt = ["".join(tokenizer.convert_ids_to_tokens(ids[a:b])) for a, b in pairwise(starts)]
    assert [text.replace("▁", "").replace("##", "") for text in spelt] == CODE
    if tokenizer.unk_token == "<unk>":  # exactly one space mark before each word
        assert {text.count("▁") for text in spelt} == {1}


def test_a_tokenizer_without_cls_and_sep_lends_its_bos_and_eos() -> None:
    tokenizer = sentence_pieces(prepended=False)
    special = SubTokenizer.of(tokenizer).special
    assert (special.start, special.end) == (tokenizer.bos_token_id, tokenizer.eos_token_id)
    assert (special.padding, special.node) == (tokenizer.eos_token_id, tokenizer.unk_token_id)


def test_a_tokenizer_that_names_no_ends_is_refused() -> None:
    nameless = PreTrainedTokenizerFast(tokenizer_object=small_tokenizer().backend_tokenizer)
    with pytest.raises(EquimutError, match="no start and end token"):
        SubTokenizer.of(nameless)
    with pytest.raises(EquimutError, match="not a fast tokenizer"):
        SubTokenizer.of(object())  # type: ignore[arg-type]


def test_the_fingerprint_is_the_same_in_every_process(tmp_path: Path) -> None:
    small_tokenizer().save_pretrained(tmp_path)
    script = (
        "from transformers import PreTrainedTokenizerFast as Fast;"
        "from equimut.inputs.subtokens import SubTokenizer;"
        f"print(SubTokenizer.of(Fast.from_pretrained({str(tmp_path)!r})).fingerprint)"
    )
    command = [sys.executable, "-c", script]
    seeded = os.environ | {"PYTHONHASHSEED": "1"}
    there = subprocess.run(command, env=seeded, check=True, capture_output=True, text=True).stdout
    here = SubTokenizer.of(AutoTokenizer.from_pretrained(tmp_path))
    assert there.strip() == here.fingerprint
    assert here.split(CODE) == small_subtokenizer().split(CODE)


def test_the_fingerprint_tells_tokenizers_apart_but_not_their_use() -> None:
    tokenizer = word_piece()
    before = SubTokenizer.of(tokenizer).fingerprint
    tokenizer(["a", "b c"], padding="max_length", max_length=9, truncation=True)
    assert SubTokenizer.of(tokenizer).fingerprint == before
    tokenizer.add_tokens(["frobnicate"])
    assert SubTokenizer.of(tokenizer).fingerprint != before


def test_padding_and_truncation_set_by_others_do_not_reach_the_copy() -> None:
    tokenizer = word_piece()
    wrapped = SubTokenizer.of(tokenizer)
    tokenizer.backend_tokenizer.enable_truncation(2)
    tokenizer.backend_tokenizer.enable_padding(length=50)
    assert wrapped.split(CODE) == SubTokenizer.of(word_piece()).split(CODE)
    assert SubTokenizer.of(tokenizer).split(CODE) == wrapped.split(CODE)


def test_it_can_be_sent_to_another_process() -> None:
    again = pickle.loads(pickle.dumps(small_subtokenizer()))
    assert again.split(CODE) == small_subtokenizer().split(CODE)
