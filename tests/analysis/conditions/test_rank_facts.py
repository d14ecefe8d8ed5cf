"""What one outcome of a test tells of other tests: of the same condition, and of the same rank."""

from __future__ import annotations

import operator
from collections.abc import Callable

import pytest
from condition_programs import branch_of, function_of

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.rank_facts import (
    COMPARISONS,
    Assumption,
    RankFact,
    RankTest,
    positive_form,
    rank_test_of,
)
from jaxmpi_lint.analysis.lattice.lattice import WORLD, Communicator

COMM = Communicator(WORLD, frozenset({WORLD}))
MEANT: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
RANKS = range(8)
PLACES = [(sign, number) for sign in MEANT for number in range(-1, 5)]


def test_operators_are_those_of_python() -> None:
    assert COMPARISONS.keys() == MEANT.keys()
    for sign, number in PLACES:
        assert [COMPARISONS[sign](rank, number) for rank in RANKS] == [MEANT[sign](rank, number) for rank in RANKS]


@pytest.mark.parametrize(("sign", "number"), PLACES)
@pytest.mark.parametrize("equal", [True, False])
@pytest.mark.parametrize("known", [0, 1, 3])
def test_a_fact_says_nothing_wrong(known: int, equal: bool, sign: str, number: int) -> None:
    """A decision holds for every rank that the fact allows; that a rank is equal decides everything."""
    decided = RankFact(COMM, known, equal).decide(sign, number)
    possible = {MEANT[sign](rank, number) for rank in RANKS if (rank == known) == equal}
    assert decided is None or possible == {decided}
    assert not equal or decided is not None


UNEQUAL: list[tuple[int, str, int, bool | None]] = [
    (0, "==", 0, False),
    (0, "!=", 0, True),
    (0, ">", 0, True),
    (0, ">=", 1, True),
    (0, "<", 1, False),
    (0, "<=", 0, False),
    (0, "==", 1, None),
    (0, "!=", 1, None),
    (0, ">", 1, None),
    (0, ">=", 2, None),
    (0, "<", 2, None),
    (0, "<=", 1, None),
    (2, "==", 2, False),
    (2, "!=", 2, True),
    (2, "==", 0, None),
    (2, ">", 0, None),
    (2, "<", 1, None),
    (1, ">", 0, None),
    (1, "<=", 0, None),
]


@pytest.mark.parametrize(("known", "sign", "number", "outcome"), UNEQUAL)
def test_what_another_rank_decides(known: int, sign: str, number: int, outcome: bool | None) -> None:
    assert RankFact(COMM, known, False).decide(sign, number) is outcome


FACTS: list[tuple[str, int, bool, tuple[int, bool] | None]] = [
    ("==", 3, True, (3, True)),
    ("==", 3, False, (3, False)),
    ("!=", 3, True, (3, False)),
    ("!=", 3, False, (3, True)),
    (">", 0, True, (0, False)),
    (">", 0, False, (0, True)),
    (">=", 1, True, (0, False)),
    (">=", 1, False, (0, True)),
    ("<", 1, True, (0, True)),
    ("<", 1, False, (0, False)),
    ("<=", 0, True, (0, True)),
    ("<=", 0, False, (0, False)),
    (">", 1, True, None),
    (">", 1, False, None),
    (">=", 0, True, None),
    (">=", 2, False, None),
    ("<", 0, True, None),
    ("<", 2, True, None),
    ("<=", 1, True, None),
    ("<=", 1, False, None),
]


@pytest.mark.parametrize(("sign", "number", "truth", "fact"), FACTS)
def test_what_an_outcome_tells_of_the_rank(sign: str, number: int, truth: bool, fact: tuple[int, bool] | None) -> None:
    expected = None if fact is None else RankFact(COMM, *fact)
    assert RankTest(COMM, sign, number).fact(truth) == expected


RANK_TESTS: list[tuple[str, tuple[str, int] | None]] = [
    ("rank == 2", ("==", 2)),
    ("2 == rank", ("==", 2)),
    ("rank != 2", ("!=", 2)),
    ("2 != rank", ("!=", 2)),
    ("rank < 2", ("<", 2)),
    ("2 < rank", (">", 2)),
    ("rank <= 2", ("<=", 2)),
    ("2 <= rank", (">=", 2)),
    ("rank > 2", (">", 2)),
    ("2 > rank", ("<", 2)),
    ("rank >= 2", (">=", 2)),
    ("2 >= rank", ("<=", 2)),
    ("comm.rank == ROOT", ("==", 1)),
    ("rank", ("!=", 0)),
    ("comm.Get_rank()", ("!=", 0)),
    ("rank == True", None),
    ("rank == other", None),
    ("rank in (0, 1)", None),
    ("0 < rank < 2", None),
    ("size == 1", None),
    ("other", None),
    ("rank is 0", None),
]


@pytest.mark.parametrize(("test", "expected"), RANK_TESTS)
def test_comparisons_of_a_rank(test: str, expected: tuple[str, int] | None) -> None:
    function = function_of(f"ROOT = 1\nif {test}:\n    g()", "other")
    block, branch = branch_of(function)
    found = rank_test_of(function, block, branch.test)
    assert (None if found is None else (found.operator, found.number)) == expected
    assert found is None or found.communicator.groups == {WORLD}


@pytest.mark.parametrize(
    ("subject", "case", "expected"),
    [
        ("rank", "0", ("==", 0)),
        ("rank", "2", ("==", 2)),
        ("rank", "0 | 1", None),
        ("rank", "True", None),
        ("size", "0", None),
        ("rank", "'0'", None),
    ],
)
def test_cases_of_a_rank(subject: str, case: str, expected: tuple[str, int] | None) -> None:
    function = function_of(f"match {subject}:\n    case {case}:\n        g()\n    case _:\n        h()")
    block, branch = branch_of(function)
    found = rank_test_of(function, block, branch.test)
    assert (None if found is None else (found.operator, found.number)) == expected


POSITIVE: list[tuple[str, str, bool]] = [
    ("a == b", "a == b", True),
    ("a != b", "a == b", False),
    ("a < b", "a < b", True),
    ("a >= b", "a < b", False),
    ("a > b", "a > b", True),
    ("a <= b", "a > b", False),
    ("a is b", "a is b", True),
    ("a is not b", "a is b", False),
    ("a in b", "a in b", True),
    ("a not in b", "a in b", False),
    ("a", "a", True),
    ("a == b == c", "a == b == c", True),
    ("(a  ==\n b)", "a == b", True),
]


@pytest.mark.parametrize(("test", "text", "positive"), POSITIVE)
def test_positive_form(test: str, text: str, positive: bool) -> None:
    function = function_of(f"if {test}:\n    g()", "a, b, c")
    assert positive_form(function, branch_of(function)[1].test) == (text, positive)


ASSUMED: list[tuple[str, bool, str, bool | None]] = [
    ("a", True, "a", True),
    ("a", False, "a", False),
    ("a", True, "not a", False),
    ("not a", True, "a", False),
    ("not a", False, "a", True),
    ("not a", True, "not not a", False),
    ("a", True, "b", None),
    ("a == b", True, "a != b", False),
    ("a != b", True, "a == b", False),
    ("a != b", False, "a == b", True),
    ("a != b", True, "not a == b", True),
    ("a >= b", True, "a < b", False),
    ("a > b", False, "a <= b", True),
    ("a and b", True, "a and b", True),
    ("a and b", True, "a", None),
    ("a", True, "a or b", True),
    ("a", False, "a or b", None),
    ("a", False, "a and b", False),
    ("a", True, "a and b", None),
    ("a", True, "not (a or b)", False),
    ("a", True, "b if a else c", None),
    ("a", True, "a if b else a", True),
    ("rank == 0", True, "rank == 1", False),
    ("rank == 0", True, "rank < 1", True),
    ("rank == 0", True, "not rank", True),
    ("rank == 0", True, "comm.rank != 0", False),
    ("rank == 0", True, "rank == other", None),
    ("rank == 0", False, "rank > 0", True),
    ("rank == 0", False, "rank == 1", None),
    ("rank", True, "rank == 0", False),
    ("rank", False, "rank == 0", True),
    ("not rank", True, "rank == 0", True),
    ("rank > 1", True, "rank == 0", None),
    ("rank == 0", True, "rank == 0 and a", None),
    ("rank == 0", True, "rank == 1 and a", False),
    ("rank == 0", True, "rank == 2 or comm.rank == 0", True),
    ("rank == 0", True, "part.rank == 0", None),
    ("part.rank == 0", True, "part.rank > 2", False),
    ("part.rank == 0", True, "rank > 2", None),
]


@pytest.mark.parametrize(("assumed", "truth", "later", "outcome"), ASSUMED)
def test_assumption(assumed: str, truth: bool, later: str, outcome: bool | None) -> None:
    body = f"part = comm.Split(rank % 2)\nif {assumed}:\n    g()\nif {later}:\n    h()"
    function = function_of(body, "a, b, c, other")
    first, _ = branch_of(function)
    second, branch = branch_of(function, 1)
    assumption = Assumption(function, first, truth)
    assert assumption.decide_test(second, branch.test) is outcome
    assert assumption.decide(second) is outcome


@pytest.mark.parametrize(("truth", "outcome"), [(True, False), (False, True)])
def test_assumption_of_a_part(truth: bool, outcome: bool) -> None:
    function = function_of("if a and not b:\n    g()\nif b:\n    h()", "a, b")
    block, branch = branch_of(function)
    assert isinstance(branch.test, ir.BooleanOperation)
    assumption = Assumption(function, block, truth, branch.test.operands[1])
    assert assumption.decide(branch_of(function, 1)[0]) is outcome


def test_the_next_element_is_another_one() -> None:
    """The header of a loop, and a case of ``match``, say nothing of the same text elsewhere."""
    function = function_of("for one in rows:\n    g()\nfor one in rows:\n    h()", "rows")
    first, second = branch_of(function)[0], branch_of(function, 1)[0]
    assert Assumption(function, first, True).decide(second) is None
    matched = function_of("match a:\n    case 1:\n        g()\nmatch b:\n    case 1:\n        h()", "a, b")
    first, second = branch_of(matched)[0], branch_of(matched, 1)[0]
    assert Assumption(matched, first, True).decide(second) is None


def test_a_case_of_a_rank_is_decided_by_the_rank() -> None:
    function = function_of("if rank == 1:\n    g()\nmatch rank:\n    case 0:\n        h()\n    case 1:\n        k()")
    assumption = Assumption(function, branch_of(function)[0], True)
    assert assumption.decide(branch_of(function, 1)[0]) is False
    assert assumption.decide(branch_of(function, 2)[0]) is True
    assert assumption.fact is not None and assumption.fact.number == 1 and assumption.fact.equal
