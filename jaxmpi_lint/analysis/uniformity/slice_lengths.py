"""Lengths of sequences that are put together: ``x[k:] + x[:k]`` is as long as ``x``, padding may make lengths equal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import visible_definitions
from jaxmpi_lint.analysis.lattice.lattice import UNIFORM, UNKNOWN, Container, Uniformity, Unordered, Value
from jaxmpi_lint.analysis.lattice.padding import Padding

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import ExpressionEvaluator, Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_COPIES = frozenset({"list", "tuple", "iter", "reversed", "sorted"})


@dataclass(frozen=True, slots=True)
class _Cut:
    """The elements of a sequence, or the numbers if there is none, from one bound to the next; None is its end."""

    sequence: ir.Expression | None
    lower: ir.Expression | None
    upper: ir.Expression | None


def put_together(
    evaluator: ExpressionEvaluator, node: ir.BinaryOperation | ir.Call, joined: Value, env: Environment
) -> Value:
    """A concatenation with the total length of its parts; ``joined`` is its value in other respects."""
    if not joined.structure.level.diverges:
        return joined
    if _is_padded(evaluator.function, list(_parts(node))):
        return levelled(joined)
    told = [(part, _cut(evaluator, part)) for part in _parts(node)]
    cuts = [cut for _, cut in told if cut is not None]
    merged = _merged(evaluator, cuts)
    if len(merged) == len(cuts):
        whole = any(cut is None and evaluator.value(part, env).structure.level.diverges for part, cut in told)
        return _compensated(joined, [evaluator.value(part, env) for part, _ in told]) if whole else joined
    structure = UNIFORM
    for part in (part for part, cut in told if cut is None):
        structure = structure.join(evaluator.value(part, env).structure)
    for cut in merged:
        structure = structure.join(_length(evaluator, cut, env))
    return replace(joined, structure=structure)


def extended(held: Value, joined: Value, value: Value) -> Value:
    """A sequence to which another is added in place, or a set; ``joined`` is the join of both."""
    kept = held.entity if isinstance(held.entity, Container) else joined.entity
    if isinstance(held.entity, Unordered) and kept is None:
        kept = Unordered()
    return _compensated(replace(joined, entity=kept), [held, value])


def cut_off(evaluator: ExpressionEvaluator, target: ir.Expression, env: Environment) -> str | None:
    """The list of which `del own[count:]` leaves as many elements as all processes agree on."""
    match target:
        case ir.Subscript(value=value, index=ir.Slice(lower=ir.Expression() as kept, upper=None, step=None)):
            is_from_end = isinstance(kept, ir.UnaryOperation)
            differs = evaluator.value(kept, env).content.level.diverges
            return None if is_from_end or differs else ir.dotted(value)
    return None


def levelled(value: Value) -> Value:
    """The value of a list that has been padded: whether its length differs is not known any more."""
    return replace(value, structure=UNKNOWN) if value.structure.level.diverges else value


def repeated(joined: Value, left: Value, right: Value) -> Value:
    """The product of two values: as long as its number says if one of them is a list."""
    for sequence, count in ((left, right), (right, left)):
        if isinstance(sequence.entity, Container) and sequence.entity.kind == "list":
            return replace(joined, structure=sequence.structure.join(count.content))
    return joined


def _compensated(joined: Value, parts: list[Value]) -> Value:
    """A concatenation: parts whose lengths differ may add up to a length on which all processes agree."""
    uneven = sum(part.structure.level.diverges for part in parts)
    return replace(joined, structure=UNKNOWN) if uneven > 1 else joined


class _PaddingOfModel(Padding):
    def __init__(self, function: Function) -> None:
        super().__init__(function.ir)


def padding_of(function: Function) -> Padding:
    """Where a function pads lists, computed once."""
    return function.get(_PaddingOfModel)


def _is_padded(function: Function, parts: list[ir.Expression]) -> bool:
    """Whether a part is endless, or as long as another part is too short."""
    padding = padding_of(function)
    for part in parts:
        if _is_endless(part):
            return True
        for other in parts:
            place = ir.dotted(_copied(other))
            if other is not part and place is not None and padding.depends_on_length(part, place):
                return True
    return False


def _is_endless(part: ir.Expression) -> bool:
    called = ir.dotted(part.func) if isinstance(part, ir.Call) and len(part.args) == 1 else None
    return called in ("repeat", "itertools.repeat")


def _copied(part: ir.Expression) -> ir.Expression:
    while isinstance(part, ir.Call) and ir.dotted(part.func) in _COPIES and part.args:
        part = part.args[0].value
    return part


def _parts(node: ir.Expression) -> Iterator[ir.Expression]:
    match node:
        case ir.BinaryOperation(operator="+", left=left, right=right):
            yield from _parts(left)
            yield from _parts(right)
        case ir.Call(func=func, args=args) if (ir.dotted(func) or "").rpartition(".")[2] == "chain":
            yield from (argument.value for argument in args)
        case _:
            yield node


def _cut(evaluator: ExpressionEvaluator, part: ir.Expression) -> _Cut | None:
    part = _copied(part)
    if isinstance(part, ir.Name):
        found = visible_definitions(evaluator.function, part.id)
        part = found[1][0] if found is not None and len(found[1]) == 1 else part
    match part:
        case ir.Subscript(value=sequence, index=ir.Slice(lower=lower, upper=upper, step=None)):
            return _Cut(sequence, _bound(lower), upper)
        case ir.Call(func=ir.Name(id="range"), args=(upper,)):
            return _Cut(None, None, upper.value)
        case ir.Call(func=ir.Name(id="range"), args=(lower, upper)):
            return _Cut(None, _bound(lower.value), upper.value)
    return None


def _bound(lower: ir.Expression | None) -> ir.Expression | None:
    return None if isinstance(lower, ir.Constant) and lower.value == 0 else lower


def _merged(evaluator: ExpressionEvaluator, cuts: list[_Cut]) -> list[_Cut]:
    """Slices merged until none begins where a different one ends."""
    for first in cuts:
        for second in cuts:
            meet = first.upper is not None and _text(evaluator, first.upper) == _text(evaluator, second.lower)
            if meet and first is not second and _text(evaluator, first.sequence) == _text(evaluator, second.sequence):
                others = [cut for cut in cuts if cut is not first and cut is not second]
                return _merged(evaluator, [*others, _Cut(first.sequence, first.lower, second.upper)])
    return cuts


def _length(evaluator: ExpressionEvaluator, cut: _Cut, env: Environment) -> Uniformity:
    bounds = [evaluator.value(bound, env) for bound in (cut.lower, cut.upper) if bound is not None]
    between = evaluator.extent(bounds) if bounds else UNIFORM
    return between if cut.sequence is None else between.join(evaluator.value(cut.sequence, env).structure)


def _text(evaluator: ExpressionEvaluator, expression: ir.Expression | None) -> str:
    return evaluator.module.line(expression.span) if expression is not None else ""
