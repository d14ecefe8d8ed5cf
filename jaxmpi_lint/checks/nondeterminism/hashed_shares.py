"""Elements that each process assigns to the ranks by `hash()`: each process assigns them differently."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.call_steps import operation_steps
from jaxmpi_lint.analysis.cfg.def_use import visible_definitions
from jaxmpi_lint.analysis.lattice.lattice import FunctionReference, Named
from jaxmpi_lint.analysis.nondeterminism.hash_provenance import Hash, returned_values
from jaxmpi_lint.analysis.nondeterminism.hash_values import HashSearch, ProcessHash
from jaxmpi_lint.analysis.nondeterminism.names_of_text import NAME_OF_TEXT
from jaxmpi_lint.checks.nondeterminism.drawn_orders import nodes_read
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.levels import Level

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Module

_COPIES = frozenset(f"builtins.{name}" for name in ("list", "tuple", "dict"))
_DEPTH = 3
"""Definitions that are followed from the argument of a call to the list that it is made of."""


@dataclass(frozen=True, slots=True)
class HashedShare:
    """A place where a hash assigns elements to ranks, and how these elements reach them."""

    source: ProcessHash
    use: Step

    kind = "share"

    @property
    def place(self) -> Place:
        """The hash."""
        return Place(self.source.function.module, self.source.call.span)

    @property
    def text(self) -> str:
        """The hash, as it is written."""
        return self.source.function.module.source(self.source.call.span)

    @property
    def confidence(self) -> Confidence:
        """High for strings, medium for what is named like one, low otherwise: hashes of numbers are not salted.

        Medium for the seeds of random numbers, which may be for what one process alone has.
        """
        if self.source.kind is Hash.SALTED:
            return Confidence.HIGH if self.kind == "share" else Confidence.MEDIUM
        hashed = self.source.call.args[0].value if self.source.call.args else None
        name = ir.dotted(hashed) if hashed is not None else None
        return Confidence.MEDIUM if name is not None and NAME_OF_TEXT.search(name) else Confidence.LOW

    def steps(self) -> Iterator[Step]:
        """The hash, then what depends on it."""
        place = self.place
        yield Step(place.module, place.span, f"`{self.text}` differs between processes")
        yield self.use


def functions(module: Module) -> tuple[Function, ...]:
    """The functions of a file; in one without hashes, only those that communicate, which may call a different file."""
    if "PYTHONHASHSEED" in module.ir.text:
        return ()
    return tuple(module.functions()) if "hash(" in module.ir.text else tuple(module.with_operations)


def hashed_shares(function: Function) -> Iterator[HashedShare]:
    """The shares in a function that depend on hashes, once for each hash."""
    seen: set[tuple[str, ir.Span]] = set()
    for share in (*_compared(function), *_distributed(function)):
        key = share.source.function.module.path, share.source.call.span
        if share.source.builtin == "hash" and key not in seen:
            seen.add(key)
            yield share


def _compared(function: Function) -> Iterator[HashedShare]:
    """Tests whether a hash is the rank."""
    for node, env in nodes_read(function):
        if not isinstance(node, ir.Comparison) or len(node.operands) != 2 or node.operators[0] not in ("==", "!="):
            continue
        for hashed, rank in (node.operands, node.operands[::-1]):
            if function.value(rank, env).content.level is not Level.RANK:
                continue
            for source in HashSearch().sources(function, hashed, env):
                step = Step(function.module, node.span, "each rank selects elements by its own hashes")
                yield HashedShare(source, step)


def _distributed(function: Function) -> Iterator[HashedShare]:
    """Lists of one table for each rank, filled by hashes, that all ranks exchange to bring equal keys together.

    Elements without keys may go to any rank, so that their hashes need not agree.
    """
    for _, bound, _ in operation_steps(function, _exchanges_parts):
        argument = bound.argument("sendobj")
        if argument is not None:
            step = Step(function.module, bound.call.span, "the ranks may send equal keys to different ranks")
            for source in _selecting(function, argument, _DEPTH):
                yield HashedShare(source, step)


def _exchanges_parts(bound: BoundCall) -> bool:
    operation = bound.operation
    return operation is not None and "alltoall" in operation.method and "sendobj" in operation.parameters


def _selecting(function: Function, expression: ir.Expression, depth: int) -> Iterator[ProcessHash]:
    """The hashes that select the places in the lists which an expression consists of."""
    match expression:
        case ir.Name(id=name):
            yield from _stored(function, name)
            scope, values = (visible_definitions(function, name) if depth else None) or (function, [])
            for value in values:
                yield from _selecting(scope, value, depth - 1)
        case ir.Call():
            yield from _returned(function, expression, depth)
        case _:
            for part in ir.children(expression):
                yield from _selecting(function, part, depth)


def _returned(function: Function, call: ir.Call, depth: int) -> Iterator[ProcessHash]:
    bound = function.bound(call)
    entity = bound.callee.entity if bound is not None and depth else None
    if isinstance(entity, Named) and entity.dotted in _COPIES:
        for argument in call.args:
            yield from _selecting(function, argument.value, depth)
    if not isinstance(entity, FunctionReference):
        return
    callee = function.project.function(entity.path, entity.qualname)
    if callee is None:
        return
    for value, _ in returned_values(callee):
        yield from _selecting(callee, value, depth - 1)


def _stored(function: Function, name: str) -> Iterator[ProcessHash]:
    """The hashes in the indices of a list of tables of this name, into which the function puts something by a key."""
    targets = [target for step in function.ir.steps() if isinstance(step, ir.Assign) for target in step.targets]
    targets += [step.target for step in function.ir.steps() if isinstance(step, ir.AugmentedAssign)]
    for target in targets:
        match target:
            case ir.Subscript(value=ir.Subscript(value=ir.Name(id=base), index=index)) if base == name:
                yield from HashSearch().sources(function, index, function.flow.exit)
