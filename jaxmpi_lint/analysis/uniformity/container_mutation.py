"""Methods that add elements to a list, a dictionary or a set, and objects that are no containers."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
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


def is_resized(function: Function, container: ir.Expression) -> bool:
    """Whether elements are added or removed, so that the container may have been padded to a common length."""
    path = ir.dotted(container)
    return path is not None and not RESIZING.isdisjoint(function.methods_called.get(path, ()))


def is_whole(index: ir.Expression) -> bool:
    """``x[:]`` or ``x[...]``: all elements."""
    if isinstance(index, ir.Slice):
        return index.lower is None and index.upper is None and index.step is None
    return isinstance(index, ir.Constant) and index.value is Ellipsis
