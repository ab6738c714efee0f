"""The loss inside the real pytorch-metric-learning and sentence-transformers."""

from pathlib import Path

import pytest
import torch
from datasets import Dataset
from pytorch_metric_learning.distances import CosineSimilarity, LpDistance
from pytorch_metric_learning.reducers import AvgNonZeroReducer
from sentence_transformers import (
    SentenceTransformer,
    SentenceTransformerTrainer,
    SentenceTransformerTrainingArguments,
)
from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
from tokenizers import ByteLevelBPETokenizer
from torch import Tensor
from transformers import RobertaConfig, RobertaModel, RobertaTokenizerFast

from equimut.losses import ClusterPurgeLoss
from equimut.losses.integrations import (
    HalfCosineDistance,
    MetricLearningClusterPurgeLoss,
    SentenceTransformerClusterPurgeLoss,
)


def batch(seed: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    generator = torch.Generator().manual_seed(seed)
    origin = torch.randn(8, 5, generator=generator)
    mutant = origin + torch.randn(8, 5, generator=generator)
    label = torch.randint(0, 2, (8,), generator=generator)
    return origin, mutant, label, torch.randint(0, 3, (8,), generator=generator)


def test_metric_learning_gives_our_number_and_gradient_batch_after_batch() -> None:
    ours, theirs = ClusterPurgeLoss(3), MetricLearningClusterPurgeLoss(3)
    for seed in range(10):
        origin, mutant, label, class_id = batch(seed)
        a, b = mutant.clone().requires_grad_(), mutant.clone().requires_grad_()
        expected = ours(origin, a, label, class_id)
        value = theirs(b, label, ref_emb=origin, ref_labels=class_id)
        torch.testing.assert_close(value, expected)
        expected.backward()
        value.backward()
        torch.testing.assert_close(a.grad, b.grad)
    torch.testing.assert_close(ours.verge, theirs.purge.verge)
    assert ours.verge.any()


def test_metric_learning_reducers_distances_and_statistics_are_the_librarys() -> None:
    origin, mutant, label, class_id = batch(0)
    distance = HalfCosineDistance().pairwise_distance(origin, mutant)
    terms = ClusterPurgeLoss(3, margin=0.1).elementwise(distance, label, class_id)
    assert 0 < (terms > 0).sum() < len(terms), "the reducer would make no difference"
    options = {"margin": 0.1}
    reduced = MetricLearningClusterPurgeLoss(3, purge=options, reducer=AvgNonZeroReducer())
    value = reduced(mutant, label, ref_emb=origin, ref_labels=class_id)
    torch.testing.assert_close(value, terms[terms > 0].mean())

    euclidean = MetricLearningClusterPurgeLoss(3, distance=LpDistance(), collect_stats=True)
    value = euclidean(mutant, label, ref_emb=origin, ref_labels=class_id)
    normal = torch.nn.functional.normalize
    lengths = (normal(origin) - normal(mutant) + 1e-6).norm(dim=1)
    torch.testing.assert_close(
        value, ClusterPurgeLoss(3).elementwise(lengths, label, class_id).mean()
    )
    assert euclidean.purge.last_statistics is not None
    assert euclidean.positive_verge == euclidean.purge.last_statistics.as_dict()["positive_verge"]
    assert "positive_verge" in euclidean._record_these_stats
    assert not hasattr(MetricLearningClusterPurgeLoss(3, collect_stats=False), "positive_verge")


def test_half_cosine_distance_matrix_has_the_pairwise_distances_on_its_diagonal() -> None:
    origin, mutant, _, _ = batch(1)
    distance = HalfCosineDistance()
    torch.testing.assert_close(
        distance(origin, mutant).diagonal(), distance.pairwise_distance(origin, mutant)
    )


def test_metric_learning_refuses_what_it_cannot_use() -> None:
    origin, mutant, label, class_id = batch(0)
    loss = MetricLearningClusterPurgeLoss(3)
    with pytest.raises(ValueError, match="CosineSimilarity is a similarity"):
        MetricLearningClusterPurgeLoss(3, distance=CosineSimilarity())
    with pytest.raises(ValueError, match="ref_emb and ref_labels are needed"):
        loss(mutant, label)
    with pytest.raises(ValueError, match="one origin per mutant"):
        loss(mutant, label, ref_emb=origin[:3], ref_labels=class_id[:3])
    rows = torch.arange(2)
    with pytest.raises(ValueError, match="indices_tuple is not used"):
        loss(mutant, label, (rows, rows, rows), ref_emb=origin, ref_labels=class_id)


ORIGINS = ["int f(int a) { return a + 1; }", "int g(int b) { return b * b; }"]
PAIRS = [
    (ORIGINS[0], "int f(int a) { return a - 1; }", [0, 0]),
    (ORIGINS[0], "int f(int a) { return 1 + a; }", [1, 0]),
    (ORIGINS[1], "int g(int b) { return b + b; }", [0, 1]),
    (ORIGINS[1], "int g(int b) { return -b * -b; }", [1, 1]),
]


@pytest.fixture(scope="module")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> SentenceTransformer:
    """A one-layer RoBERTa with its own small tokenizer, through the library's usual modules."""
    folder = tmp_path_factory.mktemp("tiny")
    bpe = ByteLevelBPETokenizer()
    bpe.train_from_iterator(
        [text for pair in PAIRS for text in pair[:2]],
        vocab_size=300,
        special_tokens=["<s>", "<pad>", "</s>", "<unk>", "<mask>"],
    )
    bpe.save_model(str(folder))
    tokenizer = RobertaTokenizerFast(
        str(folder / "vocab.json"), str(folder / "merges.txt"), model_max_length=64
    )
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    config = RobertaConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=70,
    )
    RobertaModel(config).save_pretrained(folder)
    transformer = Transformer(str(folder))
    return SentenceTransformer(modules=[transformer, Pooling(16, pooling_mode="cls")], device="cpu")


def test_sentence_transformers_gives_our_number(tiny_model: SentenceTransformer) -> None:
    tiny_model.eval()
    loss = SentenceTransformerClusterPurgeLoss(tiny_model, 2, margin=0.01)
    features = [tiny_model.preprocess([pair[column] for pair in PAIRS]) for column in (0, 1)]
    labels = torch.tensor([pair[2] for pair in PAIRS])
    value = loss(features, labels)
    origin, mutant = (
        tiny_model.encode([pair[column] for pair in PAIRS], convert_to_tensor=True)
        for column in (0, 1)
    )
    expected = ClusterPurgeLoss(2, margin=0.01).train(loss.training)
    torch.testing.assert_close(value, expected(origin, mutant, labels[:, 0], labels[:, 1]))
    assert expected.verge.any()


def test_sentence_transformers_trainer_trains_with_it(
    tiny_model: SentenceTransformer, tmp_path: Path
) -> None:
    origin, mutant, label = zip(*PAIRS, strict=True)
    data = Dataset.from_dict({"origin": origin, "mutant": mutant, "label": label})
    loss = SentenceTransformerClusterPurgeLoss(tiny_model, 2, margin=0.05)
    before = tiny_model.encode(ORIGINS[0], convert_to_tensor=True)
    arguments = SentenceTransformerTrainingArguments(
        output_dir=str(tmp_path),
        num_train_epochs=3,
        per_device_train_batch_size=4,
        report_to="none",
        save_strategy="no",
        use_cpu=True,
        disable_tqdm=True,
        learning_rate=1e-2,
    )
    trainer = SentenceTransformerTrainer(
        model=tiny_model, args=arguments, train_dataset=data, loss=loss
    )
    trainer.train()
    assert loss.purge.count.tolist() == [[3, 3], [3, 3]]
    assert not torch.allclose(before, tiny_model.encode(ORIGINS[0], convert_to_tensor=True))
    assert loss.get_config_dict()["margin"] == 0.05
    assert "Cluster Purge Loss" in loss.citation
    tiny_model.save_pretrained(str(tmp_path / "saved"))
    card = (tmp_path / "saved" / "README.md").read_text()
    assert "SentenceTransformerClusterPurgeLoss" in card
    assert '"margin": 0.05' in card


def test_sentence_transformers_refuses_plain_labels(tiny_model: SentenceTransformer) -> None:
    loss = SentenceTransformerClusterPurgeLoss(tiny_model, 2)
    two = [torch.randn(4, 16), torch.randn(4, 16)]
    with pytest.raises(ValueError, match=r"\[label, class_id\]"):
        loss.compute_loss_from_embeddings(two, torch.tensor([0, 1, 0, 1]))
    with pytest.raises(ValueError, match="two text columns"):
        loss.compute_loss_from_embeddings([*two, two[0]], torch.zeros(4, 2))
