"""Arrays with a per-process shape: local data of uneven length, data padded to the longest local element."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.arrays.shares import Link, Shares
from jaxmpi_lint.analysis.cfg.def_use import visible_definitions
from jaxmpi_lint.analysis.conditions.passes import rounds_to_world_size
from jaxmpi_lint.analysis.lattice.lattice import FunctionReference
from jaxmpi_lint.analysis.lattice.limits import LOCAL_LENGTH_DEFINITIONS
from jaxmpi_lint.library.levels import Level
from jaxmpi_lint.library.python.array_shapes import (
    ARRAY_PACKAGES,
    KEEPS_SHAPE,
    MAKES_SHAPE,
    MAXIMA,
    SHAPE_KEEPING_METHODS,
)
from jaxmpi_lint.library.python.sequences import ARRAY_SPLIT

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment


@dataclass(frozen=True, slots=True)
class LocalLengths:
    """Looks for such arrays in one function; ``own`` are parameters that hold data of the process."""

    function: Function
    env: Environment
    own: frozenset[str] = frozenset()
    depth: int = field(default=0, compare=False)

    def of(self, expression: ir.Expression) -> Link | None:
        """Why the shape of an array may differ, None if it is not known to."""
        if self.depth > LOCAL_LENGTH_DEFINITIONS or rounds_to_world_size(self.function):
            return None
        share = Shares(self.function).of(expression)
        if share is not None:
            return share.links[0]
        match expression:
            case ir.Name(id=name):
                return self._of_name(name)
            case ir.Subscript(value=ir.Call() as value, index=index) if self._dotted(value) == ARRAY_SPLIT:
                return self._here(value, "the parts differ in length") if self._is_own(index) else None
            case ir.Call(func=ir.Attribute(value=value, attr=method)) if method in SHAPE_KEEPING_METHODS:
                return self._deeper().of(value)
            case ir.Call():
                return self._of_call(expression)
        return None

    def _of_name(self, name: str) -> Link | None:
        found = visible_definitions(self.function, name)
        if found is None or len(found[1]) != 1:
            return None
        return self._in(found[0]).of(found[1][0])

    def _of_call(self, call: ir.Call) -> Link | None:
        bound = self.function.bound(call)
        if bound is None:
            return None
        package, _, name = (bound.dotted or "").rpartition(".")
        first = call.argument(0, None)
        if package in ARRAY_PACKAGES and first is not None:
            if name in KEEPS_SHAPE:
                return self._deeper().of(first)
            if name in MAKES_SHAPE:
                return self._measured(first)
            widths = call.argument(1, "pad_width")
            return self._measured(widths) if name == "pad" and widths is not None else None
        if isinstance(bound.callee.entity, FunctionReference):
            return self._of_result(bound, bound.callee.entity)
        return None

    def _of_result(self, bound: BoundCall, callee: FunctionReference) -> Link | None:
        target = self.function.project.function(callee.path, callee.qualname)
        if target is None or target.ir.is_generator:
            return None
        formal = [p.name for p in target.ir.parameters if p.name != target.self_name]
        given = {name: bound.call.argument(index, name) for index, name in enumerate(formal)}
        own = frozenset(name for name, value in given.items() if value is not None and self._is_own(value))
        ends = [b.terminator for b in target.ir.blocks if target.flow.entries[b.index] is not None]
        results = [end.value for end in ends if isinstance(end, ir.Return) and end.value is not None]
        if len(results) != 1:
            return None
        return LocalLengths(target, dict(target.flow.exit), own, self.depth + 1).of(results[0])

    def _measured(self, shape: ir.Expression) -> Link | None:
        """A maximum of the process's own data among the numbers of a shape or of widths."""
        stack = [shape]
        while stack:
            node = stack.pop()
            if isinstance(node, ir.Collection):
                stack += node.elements
            elif isinstance(node, ir.BinaryOperation) and node.operator in ("+", "-"):
                stack += (node.left, node.right)
            else:
                found = self._maximum(node)
                if found is not None:
                    return found
        return None

    def _maximum(self, node: ir.Expression) -> Link | None:
        if isinstance(node, ir.Name):
            found = visible_definitions(self.function, node.id)
            known = found is not None and len(found[1]) == 1 and self.depth < LOCAL_LENGTH_DEFINITIONS
            return self._in(found[0])._maximum(found[1][0]) if known and found is not None else None
        if not isinstance(node, ir.Call) or self._dotted(node) not in MAXIMA:
            return None
        if any(self._is_own(argument.value) for argument in node.args if argument.keyword is None):
            return self._here(node, "the maximum of the local data, not of the data of all processes")
        return None

    def _is_own(self, expression: ir.Expression) -> bool:
        """Whether data of this process alone is read in an expression."""
        for node in ir.walk(expression):
            if isinstance(node, ir.Name) and node.id in self.own and not self.function.rebinds(node.id):
                return True
            if isinstance(node, (ir.Name, ir.Attribute, ir.Subscript)):
                content = self.function.value(node, self.env).content
                if content.level is Level.RANK or (content.level is Level.LOCAL and content.source is None):
                    return True
        return False

    def _dotted(self, call: ir.Call) -> str:
        bound = self.function.bound(call)
        return (bound.dotted if bound is not None else None) or ""

    def _here(self, node: ir.Expression, message: str) -> Link:
        return Link(self.function.module, node.span, message)

    def _deeper(self) -> LocalLengths:
        return LocalLengths(self.function, self.env, self.own, self.depth + 1)

    def _in(self, scope: Function) -> LocalLengths:
        if scope is self.function:
            return self._deeper()
        return LocalLengths(scope, dict(scope.flow.exit), frozenset(), self.depth + 1)
