"""The fixpoint of waiting threads against a slow one, and its time on long chains."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from jaxmpi_lint.runtime.judging.propagation import Condition, Key, Propagation

RANKS = range(7)
CONDITIONS = st.lists(
    st.builds(Condition, st.frozensets(st.sampled_from(RANKS), max_size=4), st.booleans()), min_size=1, max_size=3
)
WAITING = st.dictionaries(
    st.tuples(st.sampled_from(RANKS), st.sampled_from([0, 1])), st.tuples(CONDITIONS, st.booleans()), max_size=9
)


def slowly(live: set[int], waiting: dict[Key, tuple[list[Condition], bool]]) -> set[Key]:
    """The same by repeated passes over all threads."""
    ranks, found = set(live), set[Key]()

    def holds(condition: Condition) -> bool:
        answers = [rank in ranks for rank in condition.ranks]
        return all(answers) if condition.needs_all else any(answers)

    while True:
        new = {
            key
            for key, (conditions, any_of) in waiting.items()
            if key not in found and (any if any_of else all)(map(holds, conditions))
        }
        if not new:
            return found
        found |= new
        ranks |= {rank for rank, _ in new}


@given(st.sets(st.sampled_from(RANKS)), WAITING)
@settings(max_examples=400, deadline=None)
def test_the_fixpoint_is_that_of_repeated_passes(
    live: set[int], waiting: dict[Key, tuple[list[Condition], bool]]
) -> None:
    propagation = Propagation(live)
    for key, (conditions, any_of) in waiting.items():
        propagation.add(key, conditions, any_of)
    assert propagation.freed() == slowly(live, waiting)


def test_a_chain_of_many_ranks() -> None:
    last = 100_000
    propagation = Propagation([last])
    for rank in range(last):
        propagation.add((rank, 0), [Condition(frozenset({rank + 1}), False)], any_of=False)
    assert len(propagation.freed()) == last


def test_many_ranks_that_wait_for_the_same_ones() -> None:
    late = frozenset(range(50_000))
    propagation = Propagation(late - {7})
    for rank in range(50_000, 100_000):
        propagation.add((rank, 0), [Condition(late, True)], any_of=False)
    assert propagation.freed() == set()
    propagation.add((7, 0), [Condition(frozenset({8}), False)], any_of=False)
    assert len(propagation.freed()) == 50_001
