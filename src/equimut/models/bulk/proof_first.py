"""What rules and the prover settle before a detector is asked, in the order of the questions."""

from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing

from equimut.proofs.budget import DEFAULT, Budget
from equimut.proofs.proving import ProofQuestion, ask_prover
from equimut.records import Judgement, Query
from equimut.storage.worker_pool import Lost

_NOTHING = ProofQuestion(origin="", mutant="", language="", budget=None)


class ProofFirst:
    """Turns questions that are proved into judgements; a judgement among them is passed on."""

    def __init__(self, budget: Budget | None, jobs: int) -> None:
        self._budget = budget
        self._jobs = jobs
        self.lost: Counter[str] = Counter()
        """Why some got no answer, and how many."""

    def __call__(
        self, questions: Iterable[Query | Judgement]
    ) -> Generator[Query | Judgement, None, None]:
        """The questions in their order, a few of them under way at a time."""
        under_way: deque[Query | Judgement] = deque()

        def asked() -> Iterator[ProofQuestion]:
            for question in questions:
                under_way.append(question)
                yield self._question(question)

        with closing(ask_prover(asked(), self._budget or DEFAULT, self._jobs)) as answers:
            for answer in answers:
                question = under_way.popleft()
                if isinstance(answer, Lost):
                    self.lost[answer.reason] += 1
                    yield question
                elif answer.reason:
                    yield Judgement(
                        verdict="equivalent", tier="proved", probability=1.0, reason=answer.reason
                    )
                elif isinstance(question, Query) and answer.view is not None:
                    yield question.model_copy(update={"view": answer.view})
                else:
                    yield question

    def _question(self, question: Query | Judgement) -> ProofQuestion:
        if isinstance(question, Judgement):
            return _NOTHING
        return ProofQuestion(
            origin=question.origin,
            mutant=question.mutant,
            language=question.language,
            budget=self._budget,
            rules=True,
        )
