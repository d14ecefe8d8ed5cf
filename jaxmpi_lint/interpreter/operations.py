"""Operators, items and tests on values, without calls of the program."""

from __future__ import annotations

import operator as python
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import arrays, buffers, chosen_items, dtypes, elementwise, joined_lists, products
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.container_values import NO_ARGUMENT, CommandLine, GuessedList, View
from jaxmpi_lint.interpreter.open_tables import is_open
from jaxmpi_lint.interpreter.raised import fail, unfit
from jaxmpi_lint.interpreter.symbols import Symbol, freeze
from jaxmpi_lint.interpreter.unknown_keys import candidates, is_partly_known
from jaxmpi_lint.interpreter.unknown_methods import as_data
from jaxmpi_lint.interpreter.values import MISSING, ClassValue, Cut, Instance, Library, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

PLAIN = (int, float, complex, bool, str, bytes, type(None))
MAX_TEXT = 10_000
MAX_LIST = 100_000
MAX_NUMBER = 1 << 256

_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": python.add,
    "-": python.sub,
    "*": python.mul,
    "/": python.truediv,
    "//": python.floordiv,
    "%": python.mod,
    "**": python.pow,
    "&": python.and_,
    "|": python.or_,
    "^": python.xor,
    "<<": python.lshift,
    ">>": python.rshift,
    "==": python.eq,
    "!=": python.ne,
    "<": python.lt,
    "<=": python.le,
    ">": python.gt,
    ">=": python.ge,
}


@dataclass(frozen=True, slots=True)
class SliceValue:
    """``lower:upper:step``."""

    lower: Value
    upper: Value
    step: Value

    @property
    def is_plain(self) -> bool:
        """Whether all bounds are known."""
        return all(part is None or isinstance(part, int) for part in (self.lower, self.upper, self.step))

    def freeze(self, depth: int) -> object:
        """The bounds."""
        return "slice", freeze((self.lower, self.upper, self.step), depth)

    def python(self) -> slice:
        """The slice of Python."""
        return slice(self.lower, self.upper, self.step)


def is_plain(value: Value, depth: int = 4) -> bool:
    """Whether a value is known completely: plain data down to its leaves."""
    if isinstance(value, PLAIN):
        return True
    if depth and not isinstance(value, GuessedList) and isinstance(value, (list, tuple, set, frozenset)):
        return all(is_plain(item, depth - 1) for item in value)
    if depth and isinstance(value, dict):
        return all(is_plain(item, depth - 1) for item in value.values())
    return False


def in_order(value: Value) -> Value:
    """What decides the order of a value: the fields of a record that is ordered by them."""
    return value.compared() if isinstance(value, Instance) and value.cls.is_ordered else value


def member_data(value: Value) -> Value:
    """The text or number that a member of an enumeration is, if its class says so: ``class Tag(str, Enum)``."""
    if isinstance(value, Instance) and value.cls.is_enumeration and value.cls.is_data:
        return value.fields.get("value", value)
    return value


def binary(rank: Rank, operator: str, left: Value, right: Value) -> Value:
    """``left operator right``."""
    left, right = member_data(left), member_data(right)
    if operator in _BINARY and operator not in ("==", "!=") and _is_none_with_data(left, right):
        raise unfit(left, right)
    if isinstance(left, Array) or isinstance(right, Array):
        buffers.read(rank, (left, right))
        if operator == "@":
            if _is_none_with_data(left, right):
                raise unfit(left, right)
            return products.matmul(rank, left, right)
        result = elementwise.elementwise(rank, operator, left, right)
        if isinstance(result, Array) and (getattr(left, "is_jax", False) or getattr(right, "is_jax", False)):
            result.is_jax = True
        return result
    if isinstance(left, PLAIN) and isinstance(right, PLAIN):
        return _compute(rank, operator, left, right)
    if operator == "%" and isinstance(left, str):
        return _compute(rank, "%", left, right) if is_plain(right) else rank.symbol("text", left, right, kind="str")
    is_view = isinstance(left, View) or isinstance(right, View)
    if not is_view and (isinstance(left, (list, tuple)) or isinstance(right, (list, tuple))):
        return _sequences(rank, operator, left, right)
    if operator in ("==", "!=") and not is_view:
        return equal(rank, left, right, operator == "==")
    if _is_set(left) and _is_set(right) and operator in _BINARY:
        return _of_sets(rank, operator, left, right)
    if isinstance(left, dict) and isinstance(right, dict) and operator == "|":
        return {**left, **right}
    for owner, other in ((left, right), (right, left)):
        operate = getattr(owner, "operate", None)
        if operate is not None:
            return operate(rank, operator, other, owner is left)
    if operator in ("&", "|"):
        return _of_bools(rank, operator, left, right)
    return symbolic(rank, operator, left, right)


def _is_set(value: Value) -> bool:
    return isinstance(value, (set, frozenset)) or (isinstance(value, View) and value.is_set)


def _of_sets(rank: Rank, operator: str, left: Any, right: Any) -> Value:
    """An operation of sets; elements that are not known may be equal to other ones."""
    if all(map(is_element, left)) and all(map(is_element, right)):
        try:
            return _BINARY[operator](_as_set(left), _as_set(right))
        except TypeError:
            raise fail("TypeError") from None
    if left is right and operator in ("==", "<=", ">="):
        return True
    return symbolic(rank, operator, left, right)


def _as_set(value: Any) -> Any:
    return set(value) if isinstance(value, View) else value


def is_element(value: Value) -> bool:
    """Whether an element is equal only to one that Python takes for equal."""
    if isinstance(value, tuple):
        return all(map(is_element, value))
    if not isinstance(value, Instance):
        return is_plain(value)
    if value.cls.is_enumeration:
        return not value.cls.is_data
    if value.cls.is_record:
        return value.cls.is_hashed_by_value and all(map(is_element, value.fields.values()))
    return _compares_identity(value)


def _of_bools(rank: Rank, operator: str, left: Value, right: Value) -> Value:
    """The operation of two truth values; one of them may decide it, or leave it to the other."""
    known, other = (left, right) if isinstance(left, bool) else (right, left)
    if not (isinstance(known, bool) and isinstance(other, Symbol) and other.kind == "bool"):
        return symbolic(rank, operator, left, right)
    return other if known is (operator == "&") else known


def _is_none_with_data(left: Value, right: Value) -> bool:
    """Whether one operand is None and the other one a number, a text or an array of numbers."""
    if (left is None) == (right is None):
        return False
    other = right if left is None else left
    if isinstance(other, Array):
        return other.dtype not in ("", "object")
    return isinstance(other, Symbol) and other.kind in ("int", "float", "bool", "list")


def symbolic(rank: Rank, operator: str, left: Value, right: Value) -> Symbol:
    """The symbol of an operation; opposite comparisons have one key."""
    return rank.symbol("operation", operator, left, right, kind=_kind(operator, left, right))


def _kind(operator: str, left: Value, right: Value) -> str:
    """The kind of the result of an operation: numbers of Python give one, arrays of JAX give an array."""
    of_arrays = [one.kind for one in (left, right) if isinstance(one, Symbol) and one.kind.endswith(" array")]
    if of_arrays:
        return of_arrays[-1]
    if operator in _OPPOSITE:
        return "bool"
    kinds = {number_kind(left), number_kind(right)}
    if operator in ("+", "-", "*", "/", "//", "%") and kinds <= {"int", "float"}:
        return "float" if "float" in kinds or operator == "/" else "int"
    return ""


def number_kind(value: Value) -> str:
    """``int`` or ``float`` for a number of Python, an empty text for other values."""
    return {"int64": "int", "float64": "float"}.get(dtypes.of_scalar(value), "")


_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


_ORDERED = frozenset({"<", "<=", ">", ">="})
COMPARED = "floats that are compared"
"""The note that the current test of a rank compares known floats."""


def _compute(rank: Rank, operator: str, left: Any, right: Any) -> Value:
    if operator not in _BINARY:
        return symbolic(rank, operator, left, right)
    _check_size(operator, left, right)
    if operator in _ORDERED and (isinstance(left, float) or isinstance(right, float)):
        rank.state[COMPARED] = True
    try:
        return dtypes.like(operator, _BINARY[operator](left, right), left, right)
    except ZeroDivisionError:
        if isinstance(left, dtypes.SCALARS) or isinstance(right, dtypes.SCALARS):
            return symbolic(rank, operator, left, right)
        raise fail("ZeroDivisionError") from None
    except TypeError:
        raise unfit(left, right) from None
    except (ValueError, OverflowError):
        return symbolic(rank, operator, left, right)


def _check_size(operator: str, left: Any, right: Any) -> None:
    if operator == "**" and isinstance(left, int) and isinstance(right, int) and (abs(right) > 256 or abs(left) > 1e6):
        raise Cut("a large power")
    numbers = isinstance(left, int) and isinstance(right, int)
    if operator in ("*", "<<") and numbers and (abs(left) > MAX_NUMBER or abs(right) > _MAX_OPERAND[operator]):
        raise Cut("a large number")
    if operator == "*" and isinstance(left, (str, bytes)) and isinstance(right, int) and right * len(left) > MAX_TEXT:
        raise Cut("a long text")
    if operator == "*" and isinstance(right, (str, bytes)) and isinstance(left, int) and left * len(right) > MAX_TEXT:
        raise Cut("a long text")
    if operator == "%" and isinstance(left, (str, bytes)) and _WIDE.search(str(left)):
        raise Cut("a long text")


_MAX_OPERAND = {"<<": 512, "*": MAX_NUMBER}
_WIDE = re.compile(r"\*|\d{4}")


def _sequences(rank: Rank, operator: str, left: Value, right: Value) -> Value:
    if operator in ("+", "*") and any(getattr(one, "limit", None) is not None for one in (left, right)):
        return rank.symbol("operation", operator, left, right, kind="list")  # a deque drops items
    if operator == "+" and isinstance(left, list) and isinstance(right, list):
        return _like(left, right, [*left, *right])
    if operator == "+" and isinstance(left, tuple) and isinstance(right, tuple):
        return (*left, *right)
    if operator == "*":
        sequence, count = (left, right) if isinstance(left, (list, tuple)) else (right, left)
        if isinstance(count, int) and len(sequence) * max(count, 0) <= MAX_TEXT:
            rank.world.count_items(len(sequence) * max(count, 0))
            repeated = [*sequence] * count
            return tuple(repeated) if isinstance(sequence, tuple) else _like(sequence, sequence, repeated)
        return rank.symbol("repeated", sequence, count, kind="list")
    if operator in ("==", "!="):
        return equal(rank, left, right, operator == "==")
    if is_plain(left) and is_plain(right) and operator in _BINARY:
        return _compute(rank, operator, left, right)
    if operator == "+" and (isinstance(left, list) or isinstance(right, list)):
        return rank.symbol("operation", operator, left, right, kind="list")
    return symbolic(rank, operator, left, right)


def _like(left: Value, right: Value, items: list[Value]) -> list[Value]:
    guessed = isinstance(left, GuessedList) or isinstance(right, GuessedList)
    return GuessedList(items) if guessed else items


def equal(rank: Rank, left: Value, right: Value, truth: bool) -> Value:
    """``left == right`` or its opposite, for values that may be unknown."""
    left, right = member_data(left), member_data(right)
    if left is right:
        return truth
    if is_plain(left) and is_plain(right):
        return (left == right) is truth
    paths = [getattr(one, "type_name", "") == "path" for one in (left, right)]
    if all(paths):
        return equal(rank, left.text, right.text, truth)
    if any(paths) and (is_plain(left) or is_plain(right)):
        return not truth
    if isinstance(left, Library) and isinstance(right, Library):
        return (left.dotted == right.dotted) is truth
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Library) and one.dotted.startswith("builtins.") and is_plain(other):
            return not truth
    if isinstance(left, dtypes.DType) or isinstance(right, dtypes.DType):
        return _equal_dtypes(rank, left, right, truth)
    if isinstance(left, Instance) and isinstance(right, Instance) and left.cls == right.cls:
        return _equal_objects(rank, left, right, truth)
    known = _compares_identity(left), _compares_identity(right)
    if any(isinstance(one, Instance) and not compared for one, compared in zip((left, right), known, strict=True)):
        return symbolic(rank, "==" if truth else "!=", left, right)
    if all(known) or (any(known) and not isinstance(left, Symbol) and not isinstance(right, Symbol)):
        same = left.same(right) if hasattr(left, "same") else False
        return same is truth
    return symbolic(rank, "==" if truth else "!=", left, right)


def _equal_objects(rank: Rank, left: Instance, right: Instance, truth: bool) -> Value:
    """Dataclasses and members of enumerations are equal if their fields are, other objects if they are the same."""
    if left.cls.find("__eq__") is not MISSING:
        return symbolic(rank, "==" if truth else "!=", left, right)
    if not (left.cls.is_enumeration or left.cls.is_record):
        return symbolic(rank, "==" if truth else "!=", left, right) if left.cls.is_data else not truth
    left_out = left.cls.uncompared
    fields = ((name, value) for name, value in left.fields.items() if name not in left_out)
    outcomes = [equal(rank, value, right.fields.get(name), True) for name, value in fields]
    if any(outcome is False for outcome in outcomes):
        return not truth
    return (
        truth if all(outcome is True for outcome in outcomes) else symbolic(rank, "==" if truth else "!=", left, right)
    )


def _equal_dtypes(rank: Rank, left: Value, right: Value, truth: bool) -> Value:
    names = dtypes.dtype_of(left), dtypes.dtype_of(right)
    return (names[0] == names[1]) is truth if all(names) else symbolic(rank, "==" if truth else "!=", left, right)


def _compares_identity(value: Value) -> bool:
    """Whether a value is equal only to itself."""
    if isinstance(value, Instance):
        return not value.cls.is_data and value.cls.find("__eq__") is MISSING
    return type(value).__name__ in ("Communicator", "Request", "FunctionValue", "ClassValue")


def unary(rank: Rank, operator: str, value: Value) -> Value:
    """``-x``, ``+x``, ``~x``."""
    if isinstance(value, (int, float, complex)):
        if operator == "~" and not isinstance(value, int):
            raise fail("TypeError")
        found = {"-": python.neg, "+": python.pos, "~": python.invert}[operator](value)  # type: ignore[operator]
        return dtypes.like(operator, found, value, value)
    if isinstance(value, Array):
        buffers.read(rank, (value,))
        return elementwise.unary(rank, operator, value)
    if isinstance(value, dict):
        raise Cut("an operator of a counter")
    return rank.symbol("operation", operator, value)


def item(rank: Rank, container: Value, index: Value) -> Value:
    """``container[index]``."""
    if isinstance(container, Array):
        found = arrays.item(rank, container, index)
        if not isinstance(found, Array):
            buffers.read_item(rank, container, index)
        return found
    if isinstance(container, dict):
        return _entry(rank, container, index)
    is_part_of_range = isinstance(container, range) and not isinstance(index, Symbol)
    if is_part_of_range or isinstance(container, (list, tuple, str, bytes)):
        if isinstance(index, SliceValue):
            return _part(rank, container, index)
        if isinstance(index, int):
            if -len(container) <= index < len(container):
                joined_lists.note_item(rank, container, index)
                return container[index]
            if isinstance(container, GuessedList) and container:
                return rank.symbol("item", container, index, kind=getattr(container[0], "kind", ""))
            raise out_of_range(rank, container)
        if isinstance(index, Symbol):
            return chosen_items.chosen(rank, container, index)
        raise fail("TypeError") if is_plain(index) else Cut("an index of unknown type")
    if isinstance(container, Library):
        return container
    if isinstance(container, ClassValue) and container.is_enumeration and isinstance(index, str):
        return _entry(rank, container.enumerated, index)
    if container is None:
        raise unfit(container)
    described = getattr(container, "item", None)
    if described is not None and not isinstance(container, Symbol):
        return described(rank, index)
    return rank.symbol("item", container, index)


def out_of_range(rank: Rank, container: Value) -> Exception:
    """What an index that a list does not have raises."""
    if isinstance(container, CommandLine) and not rank.expects("IndexError"):
        return Cut(NO_ARGUMENT)
    return Cut("an index into a list of guessed length") if isinstance(container, GuessedList) else fail("IndexError")


def _entry(rank: Rank, container: dict[Any, Value], index: Value) -> Value:
    index = as_data(rank, index)
    key = hashable(rank, index)
    if key in container:
        return container[key]
    if isinstance(index, Symbol) or any(isinstance(known, Symbol) for known in container) or is_open(container):
        if rank.expects("KeyError") and not is_open(container):
            chosen_items.look_up(rank, container, index)
        if chosen_items.are_functions(container.values()) and not is_open(container):
            return chosen_items.chosen_function(rank, container, index)
        return rank.symbol("item", container, index)
    named = candidates(container, key) if is_partly_known(key) else []
    if named:
        return container[named[0]] if len(named) == 1 else rank.symbol("item", container, index)
    default = getattr(container, "make", None)
    if callable(default):
        container[key] = default()
        return container[key]
    if default is not None:
        return rank.symbol("item", container, index)
    raise fail("KeyError", index)


def _part(rank: Rank, container: Any, index: SliceValue) -> Value:
    if not index.is_plain:
        return rank.symbol("part", container, index, kind="list")
    found = container[index.python()]
    return type(container)(found) if isinstance(container, (CommandLine, GuessedList)) else found


def hashable(rank: Rank, key: Value) -> Any:
    """A key of a dict or element of a set."""
    key = member_data(as_data(rank, key))
    if isinstance(key, Instance) and not key.cls.is_hashed_by_value and not _compares_identity(key):
        raise Cut("an object that is a key by a separate equality")
    if isinstance(key, tuple):
        return tuple(hashable(rank, part) for part in key)
    if isinstance(key, (list, dict, set)):
        raise fail("TypeError")
    return key


def make_set(rank: Rank, elements: Iterable[Value]) -> Value:
    """A set of known elements."""
    return {hashable(rank, element) for element in elements}
