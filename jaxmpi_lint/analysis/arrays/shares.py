"""Local data: collections with a per-process length, because each process takes a different part.

Only operations that provably keep the length pass it on. Padding, truncation, concatenation, endless iterators and all
unknown operations end the chain, so that data whose length was made equal no longer counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import definitions, visible_definitions
from jaxmpi_lint.analysis.lattice.lattice import FunctionReference, Instance, Named, SizeOf, Uniformity
from jaxmpi_lint.analysis.lattice.limits import SHARE_DEFINITIONS
from jaxmpi_lint.library.levels import Level
from jaxmpi_lint.library.python.sequences import (
    CHANGES_LENGTH,
    KEEPS_LENGTH_OF_FIRST,
    KEEPS_LENGTH_OF_SECOND,
    LENGTH_KEEPING_METHODS,
    RESIZING_METHODS,
)

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_LENGTHS = frozenset({"shape", "size"})


@dataclass(frozen=True, slots=True)
class Link:
    """One step on the way from the place where the data is divided to the loop."""

    module: ir.Module
    span: ir.Span
    message: str


@dataclass(frozen=True, slots=True)
class Share:
    """A collection of uneven length and how it came about, the division first."""

    links: tuple[Link, ...]

    def then(self, module: ir.Module, span: ir.Span, message: str) -> Share:
        """The same share one step further on."""
        return Share((*self.links, Link(module, span, message)))


Given = Mapping[str, Share]


@dataclass(slots=True)  # never modified; not frozen because one is created for every argument of every call
class Shares:
    """The expressions of a function that are local data; ``given`` are the parameters that are."""

    function: Function
    given: Given = field(default_factory=dict)
    depth: int = 0

    def of(self, expression: ir.Expression) -> Share | None:
        """The share that an expression is, None if it is none or is not known to be one."""
        if self.depth > SHARE_DEFINITIONS:
            return None
        match expression:
            case ir.Name(id=name):
                return self._of_name(name, expression.span)
            case ir.Subscript():
                return self._of_subscript(expression)
            case ir.Comprehension(generators=generators) if len(generators) == 1:
                return self._deeper().of(generators[0].iterable)
            case ir.Call():
                return self._of_call(expression)
            case ir.Attribute():
                return self._of_field(expression)
        return None

    def _deeper(self) -> Shares:
        return Shares(self.function, self.given, self.depth + 1)

    # --- the division ---

    def picks_by_rank(self, node: ir.Expression) -> bool:
        """Whether an expression takes elements by rank, as every division does."""
        match node:
            case ir.Subscript(index=ir.Slice(lower=ir.Expression() as first, upper=None, step=ir.Expression())):
                return self._is_rank(first)
            case ir.Call(func=ir.Attribute(attr="shard"), args=(_, _)):
                index = node.argument(1, "index")
                return index is not None and self._is_rank(index)
        return False

    def _of_subscript(self, node: ir.Subscript) -> Share | None:
        if not isinstance(node.index, ir.Slice):
            return None
        lower, upper, step = node.index.lower, node.index.upper, node.index.step
        if step is not None and self.picks_by_rank(node):
            # A window of two bounds may be as long everywhere; every n-th element is not, unless n divides.
            even = self._is_made_even(node.value, step) or self._is_remainder_taken(step)
            return None if even else self._divided(node.span)
        if lower is not None and self._is_rank(lower):
            return None
        return self._deeper().of(node.value) if upper is None else None

    def _divided(self, span: ir.Span) -> Share:
        return Share((Link(self.function.module, span, "each process takes a part of different length"),))

    def _is_rank(self, expression: ir.Expression) -> bool:
        return self._content(expression).level is Level.RANK

    def _content(self, expression: ir.Expression) -> Uniformity:
        for _, step, env in self.function.steps():
            if step.span[0] <= expression.span[0] and expression.span[1] <= step.span[1]:
                return self.function.value(expression, env).content
        for block in self.function.ir.blocks:
            span = block.terminator.span
            if span[0] <= expression.span[0] and expression.span[1] <= span[1]:
                env = self.function.flow.environment_before(block.index, None)
                return self.function.value(expression, env).content
        return Uniformity()

    def _is_made_even(self, data: ir.Expression, count: ir.Expression) -> bool:
        """Whether the whole data is cut, filled or repeated first, or its length is a multiple of the number."""
        if any(isinstance(part, ir.Slice) for part in ir.walk(data)):
            return True
        parts = [part for value in self._sources(data) for part in ir.walk(value)]
        return any(self._changes_length(part, self.function.module.source(count.span)) for part in parts)

    def _changes_length(self, part: ir.Expression, stride: str) -> bool:
        match part:
            case (
                ir.Slice(upper=ir.Expression() as end)
                | ir.Call(func=ir.Attribute(attr="take"), args=(ir.Argument(value=end),))
            ):
                return any(
                    isinstance(one, ir.BinaryOperation) for value in self._sources(end) for one in ir.walk(value)
                )
            case ir.Call(func=ir.Name(id=name) | ir.Attribute(attr=name)) if name in CHANGES_LENGTH:
                return True
            case ir.BinaryOperation(operator="*", left=left, right=right):
                return self._counts(left, stride) or self._counts(right, stride)
        return False

    def _sources(self, data: ir.Expression) -> Iterator[ir.Expression]:
        """An expression, and what its names and its fields stand for."""
        yield data
        for node in ir.walk(data):
            if isinstance(node, ir.Name):
                found = visible_definitions(self.function, node.id)
                yield from found[1] if found is not None else ()
            elif isinstance(node, ir.Attribute) and ir.dotted(node.value) == self.function.self_name:
                yield from (value for _, value in self._stored(node.attr))

    def _is_remainder_taken(self, count: ir.Expression) -> bool:
        """Whether the function looks at the remainder of a division by the number of processes."""
        stride = self.function.module.source(count.span)
        for expression in _expressions(self.function):
            for part in ir.walk(expression):
                if isinstance(part, ir.BinaryOperation) and part.operator == "%" and self._counts(part.right, stride):
                    return True
        return False

    def _counts(self, expression: ir.Expression, stride: str) -> bool:
        if self.function.module.source(expression.span) == stride:
            return True
        return isinstance(self.function.value(expression, self.function.flow.exit).entity, SizeOf)

    # --- what keeps it ---

    def _of_name(self, name: str, span: ir.Span) -> Share | None:
        if name in self.given and definitions(self.function, name) is None and name not in self.function.bound_in_part:
            return None if _is_resized(self.function, name) else self.given[name]
        scope: Function = self.function
        while not scope.is_local(name) and scope.parent is not None and scope.ir.kind != "module":
            scope = scope.parent
        if not scope.is_local(name):
            scope = scope.module_model.body
        if not scope.is_local(name) or _is_resized(scope, name):
            return None
        value = _last_value(scope, name, span if scope is self.function else None)
        given = self.given if scope is self.function else {}
        return Shares(scope, given, self.depth + 1).of(value) if value is not None else None

    def _of_field(self, node: ir.Attribute) -> Share | None:
        """A field of the own object that one method of its class assigns: its last value there."""
        if ir.dotted(node.value) != self.function.self_name or any(
            _is_resized(method, f"{method.self_name}.{node.attr}") for method in self._methods()
        ):
            return None
        found = list(self._stored(node.attr))
        if len(found) != 1:
            return None
        share = Shares(found[0][0], {}, self.depth + 1).of(found[0][1])
        return share.then(self.function.module, node.span, f"kept in `{ir.dotted(node)}`") if share else None

    def _methods(self) -> list[Function]:
        """The methods of the class of a method."""
        owner = self.function.ir.owner
        names = self.function.module.classes[owner].methods.values() if owner is not None else ()
        return [self.function.module_model.function(name) for name in names]

    def _stored(self, attribute: str) -> Iterator[tuple[Function, ir.Expression]]:
        """The methods that assign a field of the object, each with the last value there."""
        for method in self._methods():
            values = _values_of(method, f"{method.self_name}.{attribute}")
            if values:
                yield method, max(values, key=lambda value: value.span)

    def _of_call(self, call: ir.Call) -> Share | None:
        bound = self.function.bound(call)
        if bound is None:
            return None
        entity = bound.callee.entity
        if isinstance(entity, FunctionReference):
            return self._of_result(bound, entity)
        if isinstance(entity, Named):
            return self._of_library_call(call, entity.dotted.removeprefix("builtins."))
        if isinstance(call.func, ir.Attribute) and not isinstance(entity, Instance):
            return self._of_method(call, call.func)
        return None

    def _of_library_call(self, call: ir.Call, name: str) -> Share | None:
        inner = self._deeper()
        positional = [argument.value for argument in call.args if not argument.star and argument.keyword is None]
        if name == "range":
            return next(filter(None, (inner._counted(value) for value in positional)), None)
        if name == "zip":
            shares = [inner.of(value) for value in positional]
            return shares[0] if shares and all(shares) and len(positional) == len(call.args) else None
        position = 0 if name in KEEPS_LENGTH_OF_FIRST else 1 if name in KEEPS_LENGTH_OF_SECOND else None
        return inner.of(positional[position]) if position is not None and position < len(positional) else None

    def _counted(self, expression: ir.Expression) -> Share | None:
        """The share whose length a number is computed from."""
        match expression:
            case ir.Call(func=ir.Name(id="len"), args=(argument,)):
                return self.of(argument.value)
            case ir.Attribute(value=value, attr=attr) if attr in _LENGTHS:
                return self.of(value)
            case ir.Subscript(value=ir.Attribute(value=value, attr="shape"), index=ir.Constant(value=0)):
                return self.of(value)
            case ir.Name(id=name):
                last = _last_value(self.function, name, expression.span)
                return self._deeper()._counted(last) if last is not None and self.depth < SHARE_DEFINITIONS else None
            case ir.BinaryOperation(operator=operator, left=left, right=right) if operator in ("+", "-", "//", "*"):
                return self._counted(left) or (self._counted(right) if operator in ("+", "*") else None)
        return None

    def _of_method(self, call: ir.Call, func: ir.Attribute) -> Share | None:
        if func.attr == "shard" and len(call.args) == 2:
            count = call.argument(0, "num_shards")
            if not self.picks_by_rank(call) or count is None or self._is_remainder_taken(count):
                return None
            return None if self._is_made_even(func.value, count) else self._divided(call.span)
        return self._deeper().of(func.value) if func.attr in LENGTH_KEEPING_METHODS else None

    # --- functions of the project ---

    def _of_result(self, bound: BoundCall, callee: FunctionReference) -> Share | None:
        model = self.function.project.function(callee.path, callee.qualname)
        if model is None or model.ir.is_async:
            return None
        inner = Shares(model, self.arguments(bound, callee), self.depth + 1)
        share = inner._yielded() if model.ir.is_generator else inner._returned()
        if share is None:
            return None
        what = "yielded" if model.ir.is_generator else "returned"
        return share.then(self.function.module, bound.call.span, f"{what} by `{model.ir.name}`")

    def arguments(self, bound: BoundCall, callee: FunctionReference) -> dict[str, Share]:
        """The parameters of a called function that are shares."""
        model = self.function.project.function(callee.path, callee.qualname)
        if model is None or self.depth > SHARE_DEFINITIONS:
            return {}
        names = [p.name for p in model.ir.parameters if p.kind in ("positional", "plain")]
        names = names[1:] if callee.bound else names
        found: dict[str, Share] = {}
        for index, argument in enumerate(bound.call.args):
            if argument.star:
                break
            name = argument.keyword or (names[index] if index < len(names) else None)
            share = self._deeper().of(argument.value) if name is not None else None
            if name is not None and share is not None:
                found[name] = share
        return found

    def _returned(self) -> Share | None:
        values = [
            block.terminator.value
            for block in self.function.ir.blocks
            if isinstance(block.terminator, ir.Return)
            and block.terminator.value is not None
            and self.function.flow.entries[block.index] is not None
        ]
        return self.of(values[0]) if len(values) == 1 else None

    def _yielded(self) -> Share | None:
        """The share that the only loop around the yields of a generator walks through."""
        yields = [
            step.expression.span
            for step in self.function.ir.steps()
            if isinstance(step, ir.Evaluate) and isinstance(step.expression, ir.Yield)
        ]
        loops = [branch for _, branch, _ in self.function.branches() if branch.kind in ("for", "while")]
        if len(loops) != 1 or not isinstance(loops[0].test, ir.Element):
            return None
        start, end = loops[0].extent
        inside = bool(yields) and all(start <= span[0] < end for span in yields)
        return self.of(loops[0].test.iterable) if inside else None


def _last_value(function: Function, name: str, use: ir.Span | None) -> ir.Expression | None:
    """The value that a name holds where it is used: the last one before, unless a later one comes round in a loop."""
    values = _values_of(function, name)
    if name in function.bound_in_part or not values or (len(values) > 1 and use is None):
        return None
    if use is None or len(values) == 1:
        return values[0]
    before = [value for value in values if value.span[1] <= use[0] and not ir.contains(value.span, use)]
    behind = [value.span for value in values if value.span[0] >= use[1]]
    loops = [branch.extent for _, branch, _ in function.branches() if branch.kind in ("for", "while")] if behind else ()
    if any(ir.contains(loop, use) and ir.contains(loop, span) for loop in loops for span in behind):
        return None
    return max(before, key=lambda value: value.span) if before else None


def _values_of(function: Function, path: str) -> list[ir.Expression]:
    return list(function.assignments.get(path, {}).values())


def _is_resized(function: Function, path: str) -> bool:
    """Whether a list is made longer or shorter in place."""
    return not RESIZING_METHODS.isdisjoint(function.methods_called.get(path, ()))


def _expressions(function: Function) -> Iterator[ir.Expression]:
    for block in function.ir.blocks:
        for step in block.steps:
            if isinstance(step, (ir.Evaluate, ir.Discard)):
                yield step.expression if isinstance(step, ir.Evaluate) else step.value
            elif isinstance(step, (ir.Assign, ir.AugmentedAssign)) and step.value is not None:
                yield step.value
        if isinstance(block.terminator, ir.Branch):
            yield block.terminator.test
