"""Changes of objects in place: elements that are added or removed, items and fields that are assigned."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import definitions
from jaxmpi_lint.analysis.lattice.lattice import Container, Record, Unordered, Value
from jaxmpi_lint.analysis.uniformity.container_mutation import RESIZING, is_whole
from jaxmpi_lint.library.python.container_methods import FILLED_ON_ACCESS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import ExpressionEvaluator, Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment


@dataclass(frozen=True, slots=True)
class Change:
    """A change of the object that a name or a chain of attributes denotes.

    ``adds``: it adds or removes elements; ``inside``: it changes an element, which a missing key may add; ``text`` is
    equal for equal changes; ``key`` is that of the entry that is assigned.
    """

    path: str
    place: ir.Expression
    text: str
    adds: bool = False
    inside: bool = False
    key: ir.Constant | None = None

    def resizes(self, held: Value) -> bool:
        """Whether the number of elements may change, given the object."""
        filled = isinstance(held.entity, Container) and held.entity.kind in FILLED_ON_ACCESS
        return self.adds or (self.inside and (filled or self._is_new(held)))

    def _is_new(self, held: Value) -> bool:
        return self.key is not None and isinstance(held.entity, Record) and self.key.value not in held.entity.keys


def changes(function: Function, block: ir.Block) -> Iterator[Change]:
    """The changes that the steps of a block make."""
    for step in block.steps:
        match step:
            case ir.Evaluate(expression=ir.Call(func=ir.Attribute(value=value, attr=method), span=span)):
                if method in RESIZING:
                    yield from _of(function, value, span, adds=True)
            case ir.Assign(targets=targets):
                for target in targets:
                    yield from _of_target(function, target, step.span)
            case ir.AugmentedAssign(target=target):
                yield from _of_target(function, target, step.span)


def _of_target(function: Function, target: ir.Expression, span: ir.Span) -> Iterator[Change]:
    if isinstance(target, ir.Subscript):
        if not is_whole(target.index):
            key = target.index if isinstance(target.index, ir.Constant) else None
            yield from (replace(one, key=key) for one in _of(function, target, span))
    elif isinstance(target, ir.Attribute) and ir.dotted(target) is not None:
        yield Change(ir.dotted(target) or "", target, function.module.source(span))


def _of(function: Function, place: ir.Expression, span: ir.Span, adds: bool = False) -> Iterator[Change]:
    inside = isinstance(place, ir.Subscript)
    may_add = inside and isinstance(place, ir.Subscript) and not isinstance(place.value, ir.Subscript)
    while isinstance(place, ir.Subscript):
        place = place.value
    path = ir.dotted(place)
    if path is not None and not _is_on_foreign_memory(function, place):
        yield Change(path, place, function.module.source(span), adds and not inside, may_add)


def _is_on_foreign_memory(function: Function, place: ir.Expression) -> bool:
    """Whether an array is made on memory that is not its own, as that of a shared window: others see the change."""
    values = definitions(function, place.id) if isinstance(place, ir.Name) else None
    return any(
        isinstance(value, ir.Call)
        and ((ir.dotted(value.func) or "").endswith("frombuffer") or any(one.keyword == "buffer" for one in value.args))
        for value in values or ()
    )


def is_container(value: Value) -> bool:
    """Whether a value is provably a container, so that its methods change nothing else."""
    return isinstance(value.entity, (Container, Record, Unordered)) or value.elements is not None


def held_at(evaluator: ExpressionEvaluator, change: Change, env: Environment) -> Value:
    """The object before or after a change."""
    known = env.get(change.path)
    return known if known is not None else evaluator.value(change.place, env)
