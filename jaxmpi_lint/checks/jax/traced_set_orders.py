"""Set orders that become part of a traced program, through a loop in it or the order of its arguments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import Compiled
from jaxmpi_lint.analysis.model.multi_process_evidence import runs_as_several_processes
from jaxmpi_lint.analysis.nondeterminism.hash_provenance import Hash
from jaxmpi_lint.analysis.tracing.transform_semantics import tier
from jaxmpi_lint.checks.jax.set_loops import SetLoop, adds_to_trace, set_loops
from jaxmpi_lint.checks.trace_steps import entry_name, trace_steps
from jaxmpi_lint.findings.diagnostics import Applicability, Confidence
from jaxmpi_lint.findings.model import Place, Repair, Step
from jaxmpi_lint.library.model import Tracing

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program


@dataclass(frozen=True, slots=True)
class TracedSetOrder:
    """A loop over a set, and how its order becomes part of a program."""

    function: Function
    loop: SetLoop
    what: str
    story: tuple[Step, ...]

    @property
    def place(self) -> Place:
        """The set in the loop."""
        return Place(self.function.module, self.loop.walked.span)

    @property
    def is_text(self) -> bool:
        """Whether the elements are provably strings, whose hashes are salted."""
        return self.loop.elements is Hash.SALTED

    @property
    def confidence(self) -> Confidence:
        """High for strings, medium for keys and objects, low for unknown elements."""
        if self.is_text:
            return Confidence.HIGH
        known = self.loop.from_keys or self.loop.elements is Hash.IDENTITY
        return Confidence.MEDIUM if known else Confidence.LOW

    def steps(self) -> tuple[Step, ...]:
        """How the loop is traced, or where the list is passed."""
        return self.story


def traced_set_orders(project: Program) -> Iterable[TracedSetOrder]:
    """The set orders in the reported files, if the project runs as several processes."""
    functions = (function for module in project.reported_modules() for function in module.functions())
    found = [order for function in functions for order in _in_function(function)]
    return found if found and runs_as_several_processes(project) else ()


def _in_function(function: Function) -> Iterator[TracedSetOrder]:
    trace = function.project.traced.trace_of(function)
    if trace is not None and tier(trace.transform) == 0:
        for loop in set_loops(function):
            if adds_to_trace(function, loop):
                what = f"a set is iterated while {entry_name(function)} is traced by `{trace.transform.name}`"
                yield TracedSetOrder(function, loop, what, trace_steps(function))
    elif trace is None and Compiled in function.calls_by_callee:
        yield from _in_arguments(function)


def _in_arguments(function: Function) -> Iterator[TracedSetOrder]:
    """Lists in set order that are passed to compiled functions."""
    loops = {
        loop.comprehension.span: loop
        for loop in set_loops(function)
        if loop.comprehension is not None and loop.comprehension.kind in ("list", "generator")
    }
    for bound in function.calls() if loops else ():
        entity = bound.callee.entity
        if not isinstance(entity, Compiled) or not _is_staged(function, entity.transform):
            continue
        for argument in bound.call.args:
            node = _list_of(function, argument.value)
            if node is not None and node.span in loops:
                step = Step(function.module, bound.call.span, "the compiled function uses the list by position")
                what = "a list in set order is passed to a compiled function"
                yield TracedSetOrder(function, loops[node.span], what, (step,))


def sort_elements(defect: TracedSetOrder) -> Repair:
    """Iterate over the sorted elements; safe for strings, which can always be compared."""
    applicability = Applicability.SAFE if defect.is_text else Applicability.UNSAFE
    walked = defect.loop.walked.span
    sorted_set = f"sorted({defect.function.module.source(walked)})"
    return Repair(applicability, "sort the elements", ((walked, sorted_set),))


def _is_staged(function: Function, transform: str) -> bool:
    entry = function.project.catalogue.transform(transform)
    return entry is not None and entry.tracing is Tracing.STAGE


def _list_of(function: Function, expression: ir.Expression) -> ir.Comprehension | None:
    """The comprehension that creates a list, through one name or ``tuple(...)``."""
    if isinstance(expression, ir.Name):
        values = [
            step.value
            for step in function.ir.steps()
            if isinstance(step, ir.Assign) and any(ir.dotted(target) == expression.id for target in step.targets)
        ]
        if len(values) != 1 or values[0] is None:
            return None
        expression = values[0]
    if isinstance(expression, ir.Call) and ir.dotted(expression.func) in ("tuple", "list") and expression.args:
        expression = expression.args[0].value
    return expression if isinstance(expression, ir.Comprehension) else None
