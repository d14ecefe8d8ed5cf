"""Methods that add elements to a list, a dictionary or a set, and objects that are no containers."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.library.python.sequences import RESIZING_METHODS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

FILLING = frozenset({"append", "add", "extend", "update", "insert", "setdefault"})
RESIZING = FILLING | RESIZING_METHODS | {"discard", "popitem"}
_METHODS = frozenset().union(*map(dir, (list, dict, set, deque, Counter, OrderedDict, defaultdict)))


def holds_elements(function: Function, container: ir.Expression) -> bool:
    """Whether a method that adds elements is called on a container.

    Objects with methods or attributes of their class are unknown: what ``controller.update(seconds)`` changes need not
    affect ``controller.limit``.
    """
    path = ir.dotted(container)
    return path is None or not function.attributes_read.get(path, set()) - _METHODS


def is_resized(function: Function, path: str) -> bool:
    """Whether elements are added or removed in place."""
    return next(_resized_at(function, path), None) is not None


def may_be_levelled(function: Function, path: str | None) -> bool:
    """Whether elements may be added or removed until the container has a length that all processes agree on.

    A single loop that does not look at the container only fills it. A ``while`` loop, a test of the container, and
    changes in several statements may pad or shorten it.
    """
    places = list(_resized_at(function, path)) if path is not None else []
    if path is None or not places:
        return False
    enclosing = [_enclosing(function, span) for span in places]
    if not all(enclosing) or len({around[0].extent for around in enclosing}) > 1:
        return True
    return any(branch.kind == "while" or _reads(branch.test, path) for around in enclosing for branch in around)


def _resized_at(function: Function, path: str) -> Iterator[ir.Span]:
    for call in function.ir.calls():
        if isinstance(call.func, ir.Attribute) and call.func.attr in RESIZING and ir.dotted(call.func.value) == path:
            yield call.span
    for step in function.ir.steps():
        if isinstance(step, ir.AugmentedAssign) and ir.dotted(step.target) == path:
            yield step.span


def _enclosing(function: Function, span: ir.Span) -> list[ir.Branch]:
    """The branches around a place, the outermost first."""
    ends = (block.terminator for block in function.ir.blocks)
    around = [end for end in ends if isinstance(end, ir.Branch) and ir.contains(end.extent, span)]
    return sorted(around, key=lambda branch: (branch.extent[0], -branch.extent[1]))


def _reads(test: ir.Expression, path: str) -> bool:
    return any(ir.dotted(node) == path for node in ir.walk(test))


def is_made_empty(function: Function, path: str) -> bool:
    """Whether a name or field is an object of a class that a function creates without arguments, such as ``Stream()``.

    An array has elements from the beginning; to such an object they are added.
    """
    values = [value for value in function.assignments.get(path, {}).values() if not ir.is_none(value)]
    return bool(values) and all(map(_creates_empty, values))


def _creates_empty(value: ir.Expression) -> bool:
    if not isinstance(value, ir.Call) or value.args:
        return False
    return (ir.dotted(value.func) or "").rpartition(".")[2][:1].isupper()


def is_whole(index: ir.Expression) -> bool:
    """``x[:]`` or ``x[...]``: all elements."""
    if isinstance(index, ir.Slice):
        return index.lower is None and index.upper is None and index.step is None
    return isinstance(index, ir.Constant) and index.value is Ellipsis
