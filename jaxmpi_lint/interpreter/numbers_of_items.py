"""How many items a container has, as a formula: shares of equal length have equal formulas.

A formula is a sum of products of what is not known, such as the number of files. ``n // size`` is a new product, and
``n % size`` is what is left. So ``order[: n - n % size][rank::size]`` has ``n // size`` items on every rank, while
the shares ``order[rank::size]`` differ. A part is taken to be as long as its bounds say, unless its first item is
computed as well: the last of such parts may be shorter. A constant bound is multiplied by an unknown number, which is
one if there are as many items.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from jaxmpi_lint.interpreter.symbols import Symbol

_KEEPING = frozenset({"sorted", "list", "tuple", "reversed", "enumerate", "array", "asarray", "sort", "copy", "tolist"})
"""Functions and methods whose result has as many items as what they are given."""

_JOINING = frozenset({"concatenate", "hstack"})
_SPLITTING = frozenset({"split", "array_split"})
_DRAWN = frozenset({"permutation", "permuted"})
_OF_OTHER_SIZE = frozenset({"choice", "permutation", "permuted", "spawn", "bytes"})
"""Draws that do not have their size next to their name; those of vectors have no name."""

_ELEMENTWISE = frozenset({"+", "-", "*", "/", "//", "%", "**"})
_DEEPEST = 12

Product = tuple[object, ...]
Terms = tuple[tuple[Product, int], ...]


@dataclass(frozen=True, slots=True)
class Quotient:
    """``terms // divisor``, which is no formula without it."""

    terms: Terms
    divisor: int


@dataclass(frozen=True, slots=True)
class Least:
    """The least of some numbers, such as what all ranks have of something."""

    numbers: tuple[Terms, ...]


class Formula:
    """A sum of products with whole coefficients."""

    __slots__ = ("terms",)

    def __init__(self, terms: Iterable[tuple[Product, int]] = ()) -> None:
        found: dict[Product, int] = {}
        for product, coefficient in terms:
            found[product] = found.get(product, 0) + coefficient
        self.terms = {product: coefficient for product, coefficient in found.items() if coefficient}

    @classmethod
    def of(cls, number: int) -> Formula:
        """A known number."""
        return cls([((), number)])

    def plus(self, other: Formula, factor: int = 1) -> Formula:
        """The sum with a multiple of another one."""
        return Formula([*self.terms.items(), *((product, factor * n) for product, n in other.terms.items())])

    def times(self, other: Formula) -> Formula:
        """The product."""
        return Formula(
            (tuple(sorted((*one, *two), key=repr)), n * m)
            for one, n in self.terms.items()
            for two, m in other.terms.items()
        )

    def over(self, divisor: int) -> Formula:
        """The quotient, rounded down: what is divisible is divided."""
        whole = Formula((product, n // divisor) for product, n in self.terms.items())
        rest = Formula((product, n % divisor) for product, n in self.terms.items())
        if rest.terms.keys() <= {()}:
            return whole
        return whole.plus(Formula([((Quotient(rest.frozen(), divisor),), 1)]))

    def up_over(self, divisor: int) -> Formula:
        """The quotient, rounded up."""
        return Formula().plus(Formula().plus(self, -1).over(divisor), -1)

    def frozen(self) -> Terms:
        """A description that is equal for equal formulas."""
        return tuple(sorted(self.terms.items(), key=repr))

    def is_never_negative(self) -> bool:
        """Whether this follows if nothing unknown is negative: a quotient is at most what is divided, divided."""
        least: dict[Product, Fraction] = {}
        for product, n in self.terms.items():
            match product:
                case (Quotient(terms, divisor),) if n < 0:
                    for inner, m in terms:
                        least[inner] = least.get(inner, Fraction()) + Fraction(n * m, divisor)
                case _:
                    least[product] = least.get(product, Fraction()) + n
        return all(n >= 0 for n in least.values())


class Counting:
    """Formulas of numbers and of numbers of items.

    ``divisors`` are those that the program has tested, of formulas; ``passes`` are the numbers of items of ranges.
    """

    def __init__(self, divisors: Mapping[Terms, int], passes: Mapping[Symbol, int]) -> None:
        self._divisors = divisors
        self._passes = passes

    def share(self, items: object) -> Terms | None:
        """The formula of the number of items of a part or range; None for other containers, and if it is not known."""
        match items:
            case Symbol(key=(("str", "items"), whole)):
                return self.share(whole)
            case ("array", None, _, _, Symbol() as selected):
                return self.share(selected)
            case (
                Symbol(key=(("str", "part" | "item" | "range" | "arange" | "repeated"), _, _, *_))
                | Symbol(key=(("str", "operation"), ("str", "+"), _, _), kind="list")
            ):
                found = self._items(items, 0)
                return None if found is None else found.frozen()
            case Symbol(key=(("str", "range"), Symbol() as end)):
                found = self._number(end, 0)
                return None if found is None or any(map(_is_of_container, found.terms)) else found.frozen()
        return None

    def items(self, items: object) -> Terms | None:
        """The formula of a number of items, None if there is none."""
        found = self._items(items, 0)
        return None if found is None else found.frozen()

    def number(self, number: object) -> Terms | None:
        """The formula of a number, None if there is none."""
        found = self._number(number, 0)
        return None if found is None else found.frozen()

    def is_multiple(self, items: object, divisor: int) -> bool:
        """Whether a number of items can be divided without a rest."""
        found = self._items(items, 0)
        return found is not None and all(n % divisor == 0 for n in found.terms.values())

    def _unknown(self, product: Product) -> Formula:
        """A number that is not known, as a multiple of what the program has divided it by."""
        terms = ((product, 1),)
        divisor = self._divisors.get(terms)
        return Formula(terms if divisor is None else [((Quotient(terms, divisor),), divisor)])

    def _items(self, items: object, depth: int) -> Formula | None:
        """How many items a frozen container has."""
        if depth > _DEEPEST:
            return None
        match items:
            case ("array", (int(length), *_), *_):
                return Formula.of(length)
            case ("array", None, _, _, Symbol() as selected):
                return self._items(selected, depth + 1)
            case ("array", None, _, Symbol() as content, None):
                return self._items(content, depth + 1)
            case ("list" | "tuple", *known):
                return Formula.of(len(known))
            case Symbol():
                return self._of_symbol(items, depth + 1)
            case ("GuessedList" | "unordered", *guessed):
                return self._unknown((("guessed", *sorted(guessed, key=repr)),))
        return None

    def _of_symbol(self, items: Symbol, depth: int) -> Formula | None:
        match items.key:
            case (("str", "range"), end):
                return self._number(end, depth)
            case (("str", "range" | "arange"), first, end):
                return self._between(first, end, ("int", 1), depth)
            case (("str", "range" | "arange"), first, end, step):
                return self._between(first, end, step, depth)
            case (("str", "part" | "item"), whole, ("slice", ("tuple", first, end, step))):
                return self._part(whole, first, end, step, depth)
            case (("str", "item"), Symbol(key=(_, _, *_) as made), ("int", _)):
                return self._split(made, depth)
            case (("str", "part"), whole, ("int", _) as first, end, step):
                return self._part(whole, first, end, step, depth)
            case (("str", "part"), ("array", None, dtype, *_) as whole, ("int", _)) if dtype != "object":
                return self._unknown((("row", whole),))
            case (("str", "items"), whole):
                return self._items(whole, depth)
            case (("str", "random"), _, ("str", str() as name), ordered) if name in _DRAWN:
                return self._number(ordered, depth) or self._items(ordered, depth)
            case (("str", "random"), _, ("str", str() as name), size, *_) if name not in _OF_OTHER_SIZE:
                first = size[1] if isinstance(size, tuple) and size[:1] == ("tuple",) and len(size) > 1 else size
                return self._number(first, depth) or self._unknown((("items", items),))
            case (("str", "operation"), ("str", operator), one, other) if operator in _ELEMENTWISE and not items.kind:
                return self._elementwise(one, other, depth)
            case (("str", "call"), called, given, *_) if _name(called) in _KEEPING:
                return self._items(given, depth)
            case (("str", "call"), called, ("list" | "tuple", *parts), *_) if _name(called) in _JOINING:
                return self._sum([self._items(part, depth) for part in parts])
            case (("str", "repeated"), ("list", *repeated), number):
                times = self._number(number, depth)
                return None if times is None else times.times(Formula.of(len(repeated)))
            case (("str", "operation"), ("str", "+"), one, other) if items.kind == "list":
                return self._sum([self._items(one, depth), self._items(other, depth)])
        return self._unknown((("items", items),))

    def _part(self, whole: object, first: object, end: object, step: object, depth: int) -> Formula | None:
        """The length of ``whole[first:end:step]``."""
        length = self._items(whole, depth)
        if length is None:
            return None
        low = Formula() if first == ("NoneType", None) else self._bound(first, length, depth)
        high = length if end == ("NoneType", None) else self._bound(end, length, depth)
        number = _known(end) or 0
        if number > 0 and not length.terms.keys() <= {()}:
            high = Formula([((("is long enough", whole),), number)])
        stride = 1 if step == ("NoneType", None) else _known(step)
        if low is None or high is None or stride is None or stride < 1:
            return None
        if _known(first) is None and low.terms and not length.plus(high, -1).is_never_negative():
            return None  # the last share may be shorter
        return high.plus(low, -1).up_over(stride)

    def _bound(self, bound: object, length: Formula, depth: int) -> Formula | None:
        """A bound of a slice; a negative one counts from the end."""
        found = self._number(bound, depth)
        if found is None or not found.terms or any(n > 0 for n in found.terms.values()):
            return found
        return length.plus(found)

    def _between(self, first: object, end: object, step: object, depth: int) -> Formula | None:
        low, high, stride = self._number(first, depth), self._number(end, depth), _known(step)
        if low is None or high is None or (stride is not None and stride < 1):
            return None
        if stride is None:
            return self._unknown((("strided", high.plus(low, -1).frozen(), step),))
        return high.plus(low, -1).up_over(stride)

    def _elementwise(self, one: object, other: object, depth: int) -> Formula | None:
        """The length of an operation on two arrays, or on an array and a number."""
        found: Formula | None = None
        for operand in (one, other):
            if not _is_number(operand):
                length = self._items(operand, depth)
                if length is None or (found is not None and found.terms != length.terms):
                    return None
                found = length
        return found

    def _split(self, made: tuple[object, ...], depth: int) -> Formula | None:
        """The length of one of equal parts: those of `array_split` are equal only if nothing is left."""
        match made:
            case (("str", "call"), called, given, ("int", int(parts)), *_) if _name(called) in _SPLITTING and parts > 0:
                length = self._items(given, depth)
                if length is None or (_name(called) == "split" or not any(n % parts for n in length.terms.values())):
                    return None if length is None else length.over(parts)
        return None

    def _sum(self, parts: list[Formula | None]) -> Formula | None:
        total = Formula()
        for part in parts:
            if part is None:
                return None
            total = total.plus(part)
        return total

    # --- numbers ---

    def _number(self, number: object, depth: int) -> Formula | None:
        """A number that is computed from others; what is divided by an unknown number is not known itself."""
        if depth > _DEEPEST:
            return None
        match number:
            case ("int", int(known)):
                return Formula.of(known)
            case Symbol(key=(("str", "operation"), ("str", str() as operator), one, other)):
                return self._operation(number, operator, one, other, depth + 1)
            case Symbol(key=(("str", "operation"), ("str", "-"), operand)):
                found = self._number(operand, depth + 1)
                return None if found is None else Formula().plus(found, -1)
            case Symbol(key=(("str", "length"), items)):
                return self._items(items, depth + 1)
            case Symbol(key=(("str", "item"), Symbol(key=(_, ("library", "numpy.shape"), items, *_)), ("int", 0))):
                return self._items(items, depth + 1)
            case Symbol(
                key=(("str", "item"), Symbol(key=(("str", "range"), *bounds)) as passes, ("int", int(position)))
            ):
                found = self._position(passes, bounds, position, depth + 1)
                return self._unknown((number,)) if found is None else found
            case Symbol(key=(("str", "call"), ("str", "min"), ("tuple", *parts))):
                return self._least(number, parts, depth + 1)
            case Symbol(key=(("str", "call"), called, quotient, *_)) if _name(called) in ("ceil", "floor", "int"):
                found = self._rounded(_name(called), quotient, depth + 1)
                return self._unknown((number,)) if found is None and number.kind == "int" else found
            case Symbol(kind="" | "int"):
                return self._unknown((number,))
        return None

    def _position(self, passes: Symbol, bounds: list[object], position: int, depth: int) -> Formula | None:
        """The first number in a range, or the last one of consecutive numbers; None for others."""
        if position == 0:
            return Formula() if len(bounds) == 1 else self._number(bounds[0], depth)
        end = bounds[0] if len(bounds) == 1 else bounds[1]
        if position + 1 != self._passes.get(passes) or bounds[2:] not in ([], [("int", 1)]):
            return None
        last = self._number(end, depth)
        return None if last is None else last.plus(Formula.of(-1))

    def _least(self, number: Symbol, parts: list[object], depth: int) -> Formula:
        found = [self._number(part, depth) for part in parts]
        known = tuple(one.frozen() for one in found if one is not None)
        return self._unknown((Least(known),) if len(known) == len(found) else (number,))

    def _operation(self, number: Symbol, operator: str, one: object, other: object, depth: int) -> Formula | None:
        left, right, divisor = self._number(one, depth), self._number(other, depth), _known(other)
        if left is None or right is None:
            return None
        if operator in ("+", "-"):
            return left.plus(right, 1 if operator == "+" else -1)
        if operator == "*":
            return left.times(right)
        if operator not in ("//", "%") or divisor is None or divisor < 1:
            return self._unknown((number,))
        quotient = left.over(divisor)
        return quotient if operator == "//" else left.plus(quotient, -divisor)

    def _rounded(self, name: str, quotient: object, depth: int) -> Formula | None:
        match quotient:
            case Symbol(key=(("str", "operation"), ("str", "/"), one, ("int", int(divisor)))) if divisor > 0:
                left = self._number(one, depth)
                if left is None:
                    return None
                return left.up_over(divisor) if name == "ceil" else left.over(divisor)
        return self._number(quotient, depth) if name != "int" or isinstance(quotient, Symbol) else None


def _is_of_container(product: Product) -> bool:
    """Whether a product is the number of items of a container that stands for itself."""
    match product:
        case (("items" | "guessed", *_),):
            return True
    return False


def _is_number(operand: object) -> bool:
    match operand:
        case ("int" | "float" | "bool", _) | Symbol(kind="int" | "float" | "bool"):
            return True
    return False


def _known(number: object) -> int | None:
    match number:
        case ("int", int(known)):
            return known
    return None


def _name(called: object) -> str:
    """The last part of the name of a function or method."""
    match called:
        case ("library" | "method", str() as dotted, *_):
            return dotted.rpartition(".")[2]
        case ("str", str() as name):
            return name
    return ""
