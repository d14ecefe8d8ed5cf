"""Orders of sets that become part of a traced program, by a loop in it or by the order of its arguments."""

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
    """A loop over a set and what makes its order part of a program."""

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
        """Whether the elements are visibly text, whose hashes are salted."""
        return self.loop.elements is Hash.SALTED

    @property
    def confidence(self) -> Confidence:
        """High for text, medium for keys and objects, low for elements of which nothing is known."""
        if self.is_text:
            return Confidence.HIGH
        known = self.loop.from_keys or self.loop.elements is Hash.IDENTITY
        return Confidence.MEDIUM if known else Confidence.LOW

    def steps(self) -> tuple[Step, ...]:
        """How the loop is traced, or where the list is passed."""
        return self.story


def traced_set_orders(project: Program) -> Iterable[TracedSetOrder]:
    """Those of the reported files, where the project runs as several processes."""
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
    """Lists in the order of a set that are passed to compiled functions."""
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
                step = Step(function.module, bound.call.span, "the compiled function goes by their positions")
                what = "a list in the order of a set is handed to a compiled function"
                yield TracedSetOrder(function, loops[node.span], what, (step,))


def sort_elements(defect: TracedSetOrder) -> Repair:
    """Walk through the sorted elements; safe for text, which can always be compared."""
    applicability = Applicability.SAFE if defect.is_text else Applicability.UNSAFE
    walked = defect.loop.walked.span
    sorted_set = f"sorted({defect.function.module.source(walked)})"
    return Repair(applicability, "sort the elements", ((walked, sorted_set),))


def _is_staged(function: Function, transform: str) -> bool:
    entry = function.project.catalogue.transform(transform)
    return entry is not None and entry.tracing is Tracing.STAGE


def _list_of(function: Function, expression: ir.Expression) -> ir.Comprehension | None:
    """The comprehension that makes a list, through one name or ``tuple(...)``."""
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
