"""Formulas of numbers of items: they agree with the numbers that Python computes."""

from __future__ import annotations

import itertools
from random import Random

import pytest

from jaxmpi_lint.interpreter.numbers_of_items import Counting, Formula, Product, Quotient
from jaxmpi_lint.interpreter.operations import SliceValue
from jaxmpi_lint.interpreter.symbols import Symbols

UNKNOWN: tuple[Product, ...] = (("n",), ("m",))


def value(formula: Formula, known: dict[Product, int]) -> int:
    """The number that a formula stands for."""
    return sum(n * product_of(product, known) for product, n in formula.terms.items())


def product_of(product: Product, known: dict[Product, int]) -> int:
    result = 1
    for factor in product:
        if isinstance(factor, Quotient):
            result *= value(Formula(factor.terms), known) // factor.divisor
        else:
            result *= known[(factor,)]
    return result


@pytest.mark.parametrize("seed", range(200))
def test_formulas_are_what_is_computed(seed: int) -> None:
    """Sums, products and quotients of two unknown numbers, in a random order."""
    random = Random(seed)
    known: dict[Product, int] = {product: random.randrange(40) for product in UNKNOWN}
    formulas = [Formula([(product, 1)]) for product in UNKNOWN] + [Formula.of(random.randrange(5))]
    numbers = [value(one, known) for one in formulas]
    for _ in range(6):
        (one, left), (two, right) = (random.choice(list(zip(formulas, numbers, strict=True))) for _ in range(2))
        divisor = random.randint(1, 4)
        made, number = random.choice(
            [
                (one.plus(two), left + right),
                (one.plus(two, -1), left - right),
                (one.over(divisor), left // divisor),
                (one.up_over(divisor), -(-left // divisor)),
                (one.times(Formula.of(divisor)), left * divisor),
            ]
        )
        assert value(made, known) == number
        formulas.append(made)
        numbers.append(number)
    for made, number in zip(formulas, numbers, strict=True):
        assert not made.is_never_negative() or number >= 0


@pytest.mark.parametrize(("size", "rank"), [(s, r) for s in (2, 3, 4) for r in range(s)])
def test_shares_of_what_is_cut_are_equal(size: int, rank: int) -> None:
    """``ceil((n // size * size - rank) / size)`` is ``n // size`` for every rank; without the cut it is not."""
    n = Formula([(UNKNOWN[0], 1)])
    cut = n.over(size).times(Formula.of(size))
    assert cut.plus(Formula.of(rank), -1).up_over(size).frozen() == n.over(size).frozen()
    lengths = {n.plus(Formula.of(other), -1).up_over(size).frozen() for other in range(size)}
    assert len(lengths) == size


def test_blocks_fit_if_what_is_left_is_not_dealt_out() -> None:
    """``n - (rank + 1) * (n // size)`` is never negative, but with the quotient rounded up it may be."""
    n = Formula([(UNKNOWN[0], 1)])
    for size, rank in itertools.product((2, 3), range(3)):
        assert n.plus(n.over(size).times(Formula.of(rank + 1)), -1).is_never_negative() == (rank < size)
    assert not n.plus(n.up_over(2).times(Formula.of(2)), -1).is_never_negative()


@pytest.mark.parametrize(
    ("bounds", "length"),
    [
        ((None, None, None), 10),
        ((None, -1, None), 9),
        ((-3, None, None), 3),
        ((1, -1, None), 8),
        ((2, 8, 3), 2),
        ((1, None, 4), 3),
    ],
)
def test_slices_are_as_long_as_those_of_python(bounds: tuple[int | None, int | None, int | None], length: int) -> None:
    symbols = Symbols()
    n = symbols.make("option", "n", kind="int")
    whole = symbols.make("range", n, kind="range")
    terms = Counting({}, {}).items(symbols.make("part", whole, SliceValue(*bounds)))
    assert terms is not None
    assert (
        value(Formula(terms), {(n,): 10, (("is long enough", whole),): 1}) == length == len(range(10)[slice(*bounds)])
    )
