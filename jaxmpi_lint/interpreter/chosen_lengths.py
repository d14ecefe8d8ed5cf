"""What the choices of a world say about numbers of items: which are equal, divisible, or known.

Containers with the same formula have one choice. Once it is made, numbers that are computed from it are known as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import prod

from jaxmpi_lint.interpreter import lengths
from jaxmpi_lint.interpreter.numbers_of_items import Counting, Formula, Least, Product, Quotient, Terms
from jaxmpi_lint.interpreter.symbols import Symbol

LENGTHS = (2, 0, 1)
"""Numbers of items that are tried for a container that is not known."""


@dataclass(slots=True)
class ChosenLengths:
    """The numbers of items in one world."""

    _first: dict[object, Symbol] = field(default_factory=dict)
    """The first symbol with a container or formula, which stands for all of them."""
    _decided: dict[object, dict[Symbol, None]] = field(default_factory=dict)
    """The symbols whose number of items a choice decides."""
    _candidates: dict[object, tuple[int, ...]] = field(default_factory=dict)
    _divisors: dict[Terms, int] = field(default_factory=dict)
    _amounts: dict[Product, int] = field(default_factory=dict)
    _passes: dict[Symbol, int] = field(default_factory=dict)

    def choice(self, symbol: Symbol, size: int) -> object:
        """The choice that decides how many items a symbol has, with so many ranks."""
        counting = self._counting()
        key = ("length", self._first.setdefault(counting.share(symbol) or lengths.container(symbol), symbol))
        self._decided.setdefault(key, {})[symbol] = None
        if counting.is_multiple(symbol, size):
            self._candidates[key] = (size, 0)
        return key

    def candidates(self, choice: object) -> tuple[int, ...]:
        """The numbers that are tried, the one by default first."""
        return self._candidates.get(choice, LENGTHS)

    def decided(self, choices: Iterable[object]) -> Iterator[object]:
        """Choices, and the containers whose numbers of items they decide."""
        for choice in choices:
            yield choice
            yield from self._decided.get(choice, ())

    def has(self, symbol: Symbol, number: int) -> None:
        """A symbol has so many items."""
        self._passes[symbol] = number
        self._learn(self._counting().items(symbol), number)

    def equals(self, number: Symbol, known: int) -> None:
        """A test has found what a number is."""
        self._learn(self._counting().number(number), known)

    def _counting(self) -> Counting:
        return Counting(self._divisors, self._passes)

    def _learn(self, terms: Terms | None, number: int) -> None:
        """Find the one product that is not known."""
        unknown = [(product, n) for product, n in terms or () if self._amount(product) is None]
        if len(unknown) != 1:
            return
        ((product, coefficient),) = unknown
        rest = number - (self._value(tuple(one for one in terms or () if one[0] != product)) or 0)
        if rest % coefficient == 0:
            self._amounts[product] = rest // coefficient

    def tested(self, number: object, divisor: int) -> None:
        """The program has found that a number can be divided."""
        terms = Counting({}, {}).number(number)
        if terms is not None:
            self._divisors[terms] = divisor

    def items(self, symbol: Symbol) -> int | None:
        """How many items a symbol has, if it follows from what is known."""
        return self._value(self._counting().items(symbol))

    def difference(self, one: object, other: object) -> int | None:
        """By how much a number is larger than another one, if it follows from what is known.

        What a number of items is compared with may be larger than those that are tried: it stays open.
        """
        counting = self._counting()
        left, right = counting.number(one), counting.number(other)
        if left is None or right is None:
            return None
        found = Formula(left).plus(Formula(right), -1)
        if found.terms.keys() <= {()}:
            return found.terms.get((), 0)
        return self._value(found.frozen()) if isinstance(one, Symbol) and isinstance(other, Symbol) else None

    def bound(self, one: object, other: object) -> tuple[Symbol, int] | None:
        """An unknown number, and the one with which it is compared if lengths that were guessed are inserted."""
        counting = self._counting()
        left, right = counting.number(one), counting.number(other)
        if left is None or right is None:
            return None
        held = _of_guesses(right)
        if held is not None and isinstance(one, Symbol):
            return one, held
        found = Formula(right).plus(Formula(left), -1).frozen()
        held = _of_guesses(tuple(term for term in found if _guessed(term[0]) is not None))
        match [term for term in found if _guessed(term[0]) is None]:
            case [((Symbol() as whole,), -1)] if held is not None:
                return whole, held
        return None

    def number(self, symbol: Symbol) -> int | None:
        """A number that follows from numbers of items that are known."""
        return self._value(self._counting().number(symbol))

    def _value(self, terms: Terms | None) -> int | None:
        total = 0
        for product, coefficient in terms or ():
            amount = self._amount(product)
            if amount is None:
                return None
            total += coefficient * amount
        return None if terms is None else total

    def _amount(self, product: Product) -> int | None:
        if product in self._amounts:
            return self._amounts[product]
        guessed = _guessed(product)
        if guessed is not None:
            return guessed
        factors = [self._factor(factor) for factor in product]
        if 0 in factors:
            return 0
        known = [factor for factor in factors if factor is not None]
        return prod(known) if len(known) == len(factors) else None

    def _factor(self, factor: object) -> int | None:
        known = self._amounts.get((factor,), _guessed((factor,)))
        if known is not None:
            return known
        if isinstance(factor, Quotient):
            divided = self._value(factor.terms)
            return None if divided is None else divided // factor.divisor
        if isinstance(factor, Least):
            numbers = [self._value(terms) for terms in factor.numbers]
            least = min((number for number in numbers if number is not None), default=None)
            return least if least == 0 or None not in numbers else None
        return None


def _of_guesses(terms: Terms) -> int | None:
    """A number that follows from lengths of lists that were guessed; None for another one, or a constant."""
    amounts = [(_guessed(product), n) for product, n in terms]
    if not any(product for product, _ in terms) or any(amount is None for amount, _ in amounts):
        return None
    return sum(n * amount for amount, n in amounts if amount is not None)


def _guessed(product: Product) -> int | None:
    """The number of items of a list that was guessed, or 1 for the empty product."""
    match product:
        case ():
            return 1
        case (("guessed", *items),):
            return len(items)
    return None
