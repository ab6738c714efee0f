"""A small byte-level BPE with RoBERTa's special tokens, trained on the project's own sources."""

from functools import cache

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

from conftest import ROOT
from equimut.inputs.encode import EncodedSnippet, encode_graph
from equimut.inputs.subtokens import SubTokenizer, read_snippet
from equimut.inputs.window import PAPER, Limits
from equimut.records import Snippet

SPECIAL = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
SUFFIXES = {".py", ".java", ".c"}


@cache
def small_tokenizer() -> PreTrainedTokenizerFast:
    """The tokenizer of the tests: ids 0 to 4 are RoBERTa's, the rest is learnt."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=4000,
        special_tokens=SPECIAL,
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    paths = sorted(p for p in (ROOT / "src").rglob("*") if p.suffix in SUFFIXES)
    tokenizer.train_from_iterator((path.read_text() for path in paths), trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        cls_token="<s>",
        bos_token="<s>",
        sep_token="</s>",
        eos_token="</s>",
        pad_token="<pad>",
        unk_token="<unk>",
        mask_token="<mask>",
    )


@cache
def small_subtokenizer() -> SubTokenizer:
    """The same, as `inputs` uses it."""
    return SubTokenizer.of(small_tokenizer())


def encode(snippet: Snippet, tokenizer: SubTokenizer, limits: Limits = PAPER) -> EncodedSnippet:
    """Encode one snippet; with no edit to look for, long code keeps its start."""
    return encode_graph(read_snippet(snippet, tokenizer), tokenizer.special, limits)
