"""Values that are gathered, combined by the root alone, and then returned by all ranks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import names_bound
from jaxmpi_lint.checks.lone_values.guarding import is_for_role, is_of_role
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.interpreter.replacements import Replacement, Replacements
from jaxmpi_lint.library.model import Result

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


@dataclass(frozen=True, slots=True)
class ReturnedPart:
    """The replacement of a name on the root, the collective that sent its parts, and the return of all ranks."""

    function: Function
    name: str
    replaced: ir.Span
    gathered: ir.Span
    returned: ir.Span
    kind: str = "returned"

    @property
    def place(self) -> Place:
        """The replacement."""
        return Place(self.function.module, self.replaced)

    @property
    def confidence(self) -> Confidence:
        """Low: callers may use the result of the root alone."""
        return Confidence.LOW

    @property
    def text(self) -> str:
        """The name."""
        return self.name

    def steps(self) -> Iterator[Step]:
        """The collective and the return."""
        yield Step(self.function.module, self.gathered, f"each rank sends its own `{self.name}` to the root")
        yield Step(self.function.module, self.returned, "all ranks return it here")


def returned_parts(function: Function) -> Iterator[ReturnedPart]:
    """Those of one function, one for each name."""
    gathered = dict(_gathered(function))
    if not gathered or function.ir.is_too_large or is_of_role(function):
        return
    done: set[str] = set()
    made = function.project.get(Replacements).of(function.module.path, function.ir.qualname)
    for block, replacements in sorted(made.items()):
        for one in replacements:
            name = ir.dotted(one.place)
            if name not in gathered or name in done or not _is_of_root_alone(one):
                continue
            returned = _returned(function, block, one, name)
            if returned is not None:
                done.add(name)
                yield ReturnedPart(function, name, one.span, gathered[name], returned)


def _is_of_root_alone(one: Replacement) -> bool:
    return isinstance(one.place, ir.Name) and one.is_result and not one.in_place and not one.has_default


def _gathered(function: Function) -> Iterator[tuple[str, ir.Span]]:
    """The names whose values a collective with a root takes, and the call."""
    for bound in function.operation_calls:
        if bound.known_operation.result is Result.ROOT and bound.call.args:
            for node in ir.walk(bound.call.args[0].value):
                if isinstance(node, ir.Name):
                    yield node.id, bound.call.span


def _returned(function: Function, block: int, one: Replacement, name: str) -> ir.Span | None:
    """The return that gives the name to all callers, if nothing replaces or passes it on after the branch."""
    meeting = function.graph.immediate_postdominator(block)
    count = len(function.ir.blocks)
    after = {index for index in {meeting, *function.graph.reachable(meeting)} if index < count}
    steps = [step for index in after for step in function.ir.blocks[index].steps]
    if any(name in names_bound(step) or _passes_on(step, name) for step in steps):
        return None
    for index in sorted(after):
        end = function.ir.blocks[index].terminator
        if isinstance(end, ir.Return) and end.value is not None and not is_for_role(function, index, one.place):
            values = end.value.elements if isinstance(end.value, ir.Collection) else (end.value,)
            if any(isinstance(value, ir.Name) and value.id == name for value in values):
                return end.span
    return None


def _passes_on(step: ir.Step, name: str) -> bool:
    """Whether a call takes the name, which may spread its value."""
    match step:
        case ir.Evaluate(expression=ir.Call(args=args)):
            return any(ir.dotted(node) == name for argument in args for node in ir.walk(argument.value))
    return False
