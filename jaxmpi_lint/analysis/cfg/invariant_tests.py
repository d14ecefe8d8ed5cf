"""Tests whose operands keep their values throughout a function."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_LASTING_CALLS = frozenset({"Get_rank", "Get_size"})


class LastingTests:
    """Tests whose operands a function does not write."""

    def __init__(self, function: Function) -> None:
        graph = function.graph
        self._writes = Counter(parameter.name for parameter in function.ir.parameters)
        for block in function.ir.blocks:
            repeated = any(block.index in graph.reachable(target) for target in graph.successors[block.index])
            for name in written(block):
                self._writes[name] += 2 if repeated else 1

    def lasts(self, test: ir.Expression) -> bool:
        """Whether nothing in the function changes the outcome of the test."""
        for node in ir.walk(test):
            match node:
                case ir.Name(id=name) if self._writes[name] <= 1:
                    pass
                case ir.Attribute(attr=name) if not self._writes[f".{name}"]:
                    pass
                case ir.Call(func=ir.Attribute(attr=name)) if name in _LASTING_CALLS:
                    pass
                case ir.Constant() | ir.BinaryOperation() | ir.UnaryOperation():
                    pass
                case ir.BooleanOperation() | ir.Comparison():
                    pass
                case _:
                    return False
        return True


def written(block: ir.Block) -> Iterator[str]:
    """The names that the steps of a block bind; attributes with a dot."""
    for step in block.steps:
        match step:
            case ir.Assign(targets=targets) | ir.Delete(targets=targets):
                pass
            case ir.AugmentedAssign(target=target):
                targets = (target,)
            case ir.Define(name=name):
                yield name
                continue
            case _:
                continue
        for target in targets:
            yield from _stored(target)


def _stored(target: ir.Expression) -> Iterator[str]:
    """The modified name: storing an attribute modifies that attribute, storing an element modifies its container."""
    match target:
        case ir.Name(id=name):
            yield name
        case ir.Attribute(attr=name):
            yield f".{name}"
        case _:
            for child in ir.children(target):
                yield from _stored(child)
