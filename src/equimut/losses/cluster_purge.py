"""Cluster Purge Loss: the module that keeps the verges."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, get_args

import torch
from torch import Tensor, nn

from equimut.losses.class_map import as_class_keys, class_map_problem
from equimut.losses.functional import (
    EQUIVALENT,
    NON_EQUIVALENT,
    cluster_purge,
    fold_verges,
    half_cosine_distance,
    mean_verges,
    shared_verges,
)
from equimut.losses.processes import gather_rows, process_count, share_of_mean
from equimut.losses.statistics import PurgeStatistics, purge_statistics
from equimut.losses.validation import (
    check_at_least,
    check_class_ids,
    check_embeddings,
    check_finite,
    check_labels,
    check_not_empty,
    check_vector,
)

Unseen = Literal["zero", "skip"]
ClassMismatch = Literal["error", "match"]
MarginUnit = Literal["distance", "gap"]


class ClusterPurgeLoss(nn.Module):
    """Orders the mutants of each origin: equivalents inside, non-equivalents outside.

    For each class (an origin and its mutants) and polarity the loss keeps a *verge*: the moving
    average of the distances from the origin to the mutants of that polarity. Equivalents are pulled
    inside the verge of the non-equivalents, non-equivalents are pushed outside the verge of the
    equivalents. In training mode a batch first updates the verges, then pays the loss against them;
    in evaluation mode the verges stand still.

    With torch.distributed in use and in training mode, every rank folds the samples of all ranks,
    so the verges are identical everywhere and the averaged gradient is that of one process with
    the whole batch. Evaluation never communicates.

    Args:
        num_classes: Number of classes; class ids are 0 to ``num_classes - 1``.
        gamma: Span of the moving average; the newest distance weighs ``2 / (gamma + 1)``.
        alpha: Exponent of the equivalents' term.
        beta: Exponent of the non-equivalents' term.
        margin: Added inside both hinges (the paper's zeta). Negative values leave an error zone.
        margin_unit: What the margin is a number of. ``"distance"``, as published; ``"gap"``: times
            the present gap between the mean verges, so that one number fits any encoder.
        shared: How many samples the mean of all verges counts for, against those a class has seen:
            each verge is shrunk toward that mean. 0, as published: every class by itself.
        unseen: While the opposite verge has seen nothing: ``"zero"`` takes it as 0, as the paper
            does; ``"skip"`` lets the sample add 0.
        eps: Below it, a power with an exponent under 1 is continued as a straight line to 0.
        validate: Check the values of the arguments on every call (shapes are always checked).
        collect_statistics: Fill ``last_statistics`` on every call.
        class_keys: A number for each class that keeps its meaning from run to run (for example the
            origin's id in the dataset). Saved with the verges; default 0, 1, 2, ...
        class_mismatch: What loading a state with another class map does: ``"error"``, or
            ``"match"`` to carry over the verges of the keys both maps have.

    Inputs:
        origin, mutant ``[m, e]``; label ``[m]`` (1 equivalent, 0 not); class_id ``[m]``;
        sample_index ``[m]``, optional: the order in which samples are folded.

    Example:
        >>> loss = ClusterPurgeLoss(num_classes=3)
        >>> origin, mutant = torch.randn(4, 8), torch.randn(4, 8)
        >>> label, class_id = torch.tensor([1, 0, 1, 0]), torch.tensor([0, 0, 2, 2])
        >>> loss(origin, mutant, label, class_id).shape
        torch.Size([])
    """

    verge: Tensor
    """``[num_classes, 2]``: the average distance by class and label."""
    count: Tensor
    """``[num_classes, 2]``: how many distances each average has seen."""
    class_keys: Tensor
    """``[num_classes]``: what each class id stands for."""

    def __init__(
        self,
        num_classes: int,
        *,
        gamma: float = 12.0,
        alpha: float = 2.0,
        beta: float = 0.5,
        margin: float = -0.05,
        margin_unit: MarginUnit = "distance",
        shared: float = 0.0,
        unseen: Unseen = "zero",
        eps: float = 1e-4,
        validate: bool = True,
        collect_statistics: bool = False,
        class_keys: Sequence[int] | Tensor | None = None,
        class_mismatch: ClassMismatch = "error",
    ) -> None:
        super().__init__()
        check_at_least(1, num_classes=num_classes, gamma=gamma)
        check_at_least(0, strictly=True, alpha=alpha, beta=beta)
        check_at_least(0, eps=eps, shared=shared)
        check_finite(margin=margin)
        for name, value, known in (
            ("unseen", unseen, get_args(Unseen)),
            ("margin_unit", margin_unit, get_args(MarginUnit)),
            ("class_mismatch", class_mismatch, get_args(ClassMismatch)),
        ):
            if value not in known:
                raise ValueError(f"{name} must be one of {', '.join(known)}, got {value!r}")
        self.gamma, self.alpha, self.beta, self.margin = gamma, alpha, beta, margin
        self.margin_unit: MarginUnit = margin_unit
        self.shared = shared
        self.unseen: Unseen = unseen
        self.eps = eps
        self.validate = validate
        self.collect_statistics = collect_statistics
        self.class_mismatch: ClassMismatch = class_mismatch
        self.last_statistics: PurgeStatistics | None = None
        self.register_buffer("verge", torch.zeros(num_classes, 2))
        self.register_buffer("count", torch.zeros(num_classes, 2, dtype=torch.long))
        self.register_buffer("class_keys", as_class_keys(class_keys, range(num_classes)))

    @property
    def num_classes(self) -> int:
        """Number of classes the loss knows."""
        return self.verge.shape[0]

    def forward(
        self,
        origin: Tensor,
        mutant: Tensor,
        label: Tensor,
        class_id: Tensor,
        sample_index: Tensor | None = None,
    ) -> Tensor:
        """The loss of a batch: a scalar."""
        check_embeddings(self.validate, origin=origin, mutant=mutant)
        distance = half_cosine_distance(origin, mutant)
        terms, share = self._terms(distance, label, class_id, sample_index)
        return terms.sum() * share

    def elementwise(
        self,
        distance: Tensor,
        label: Tensor,
        class_id: Tensor,
        sample_index: Tensor | None = None,
    ) -> Tensor:
        """One term per sample, from distances of the caller's own making; their mean is the loss.

        Updates the verges in training mode, exactly as calling the loss does.
        """
        terms, share = self._terms(distance, label, class_id, sample_index)
        return terms * (share * max(len(terms), 1))

    def grow_to(
        self,
        num_classes: int,
        *,
        class_keys: Sequence[int] | Tensor | None = None,
        allow_shrink: bool = False,
    ) -> None:
        """Make room for more classes; what is known of the present ones stays.

        ``class_keys`` are the keys of the new classes only. Fewer classes than now would forget
        verges and is an error unless ``allow_shrink`` asks for it.
        """
        check_at_least(1, num_classes=num_classes)
        known = self.num_classes
        if num_classes < known:
            if not allow_shrink:
                raise ValueError(
                    f"num_classes {num_classes} is smaller than the present {known} and would "
                    "forget verges; allow_shrink=True does it anyway"
                )
            self.verge, self.count = self.verge[:num_classes], self.count[:num_classes]
            self.class_keys = self.class_keys[:num_classes]
            return
        keys = as_class_keys(class_keys, range(known, num_classes)).to(self.class_keys.device)
        new = num_classes - known
        self.class_keys = as_class_keys(torch.cat([self.class_keys, keys]), range(num_classes))
        self.verge = torch.cat([self.verge, self.verge.new_zeros(new, 2)])
        self.count = torch.cat([self.count, self.count.new_zeros(new, 2)])

    def verges_in_use(self) -> tuple[Tensor, Tensor]:
        """``[num_classes, 2]``: what samples are measured against, and whether it is known."""
        if not self.shared:
            return self.verge, self.count > 0
        return shared_verges(self.verge, self.count, strength=self.shared, gamma=self.gamma)

    def _margin_in_use(self) -> Tensor:
        margin = self.verge.new_tensor(self.margin)
        if self.margin_unit == "distance":
            return margin
        means = mean_verges(self.verge, self.count)
        gap = means[NON_EQUIVALENT] - means[EQUIVALENT]
        return margin * gap.nan_to_num(0.0).clamp(min=0)

    def extra_repr(self) -> str:
        """The hyperparameters, for ``print(loss)``."""
        return (
            f"num_classes={self.num_classes}, gamma={self.gamma}, alpha={self.alpha}, "
            f"beta={self.beta}, margin={self.margin}, margin_unit={self.margin_unit!r}, "
            f"shared={self.shared}, unseen={self.unseen!r}, eps={self.eps}"
        )

    def _terms(
        self, distance: Tensor, label: Tensor, class_id: Tensor, sample_index: Tensor | None
    ) -> tuple[Tensor, float]:
        """The unscaled terms of this rank's samples, and the factor that makes a sum a mean."""
        samples = distance.shape[0]
        check_vector("label", label, samples, integral=False)
        check_vector("class_id", class_id, samples)
        if sample_index is not None:
            check_vector("sample_index", sample_index, samples)
        if self.validate:
            check_labels(label)
            check_class_ids(class_id, self.num_classes)
        label, class_id = label.long(), class_id.long()
        total = samples
        if self.training:
            total = self._fold_into_verges(distance.detach(), label, class_id, sample_index)
        opposite = 1 - label
        verges, known = self.verges_in_use()
        terms = cluster_purge(
            distance,
            label,
            verges[class_id, opposite].to(distance.dtype),
            alpha=self.alpha,
            beta=self.beta,
            margin=self._margin_in_use().to(distance.dtype),
            eps=self.eps,
        )
        if self.unseen == "skip":
            terms = torch.where(known[class_id, opposite], terms, 0.0)
        if self.collect_statistics:
            self.last_statistics = purge_statistics(terms.detach(), label, self.verge, self.count)
        return terms, share_of_mean(samples, distance.device, local=not self.training, total=total)

    @torch.no_grad()
    def _fold_into_verges(
        self, distance: Tensor, label: Tensor, class_id: Tensor, sample_index: Tensor | None
    ) -> int:
        """Update the verges with the samples of all ranks; returns how many there are."""
        if process_count() > 1:
            order = torch.zeros_like(label) if sample_index is None else sample_index.long()
            label, class_id, order = gather_rows(torch.stack([label, class_id, order], 1)).unbind(1)
            distance = gather_rows(distance)
            sample_index = None if sample_index is None else order
        check_not_empty(distance.shape[0])
        if sample_index is not None:
            oldest_first = torch.argsort(sample_index, stable=True)
            distance, label = distance[oldest_first], label[oldest_first]
            class_id = class_id[oldest_first]
        if distance.dtype == torch.float64 and self.verge.dtype != torch.float64:
            self.verge = self.verge.double()
        verge, count = fold_verges(
            self.verge[class_id, label],
            self.count[class_id, label],
            distance,
            2 * class_id + label,
            gamma=self.gamma,
        )
        self.verge[class_id, label] = verge.to(self.verge.dtype)
        self.count[class_id, label] = count
        return distance.shape[0]

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> "ClusterPurgeLoss":
        """Move with the model, but never round the verges to half precision."""
        exact = self.verge
        super()._apply(fn, recurse)  # type: ignore[no-untyped-call]
        if self.verge.dtype in (torch.float16, torch.bfloat16):
            self.verge = exact.to(self.verge.device)
        return self

    def _load_from_state_dict(
        self, state_dict: Mapping[str, Any], prefix: str, *args: Any, **kwargs: Any
    ) -> None:
        """Take over the saved verges, precision included, if the class maps agree."""
        names = ("verge", "count", "class_keys")
        error_messages: list[str] = args[-1]
        if all(prefix + name in state_dict for name in names):
            saved = {name: state_dict[prefix + name].to(self.verge.device) for name in names}
            problem = class_map_problem(saved["class_keys"], self.class_keys)
            if problem and self.class_mismatch == "error":
                error_messages.append(f"{prefix or 'ClusterPurgeLoss'}: {problem}")
                return
            self.verge = torch.zeros_like(self.verge, dtype=saved["verge"].dtype)
            self.count = torch.zeros_like(self.count)
            here, there = torch.nonzero(
                self.class_keys.unsqueeze(1) == saved["class_keys"].unsqueeze(0), as_tuple=True
            )
            self.verge[here], self.count[here] = saved["verge"][there], saved["count"][there]
            state_dict = {
                **state_dict,
                **{prefix + name: getattr(self, name).clone() for name in names},
            }
        super()._load_from_state_dict(state_dict, prefix, *args, **kwargs)
