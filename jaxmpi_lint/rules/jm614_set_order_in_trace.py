"""JM614: the order of a set becomes part of a traced program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import Compiled
from jaxmpi_lint.analysis.model.multi_process_evidence import runs_as_several_processes
from jaxmpi_lint.analysis.nondeterminism.hash_provenance import Hash
from jaxmpi_lint.analysis.tracing.transform_semantics import tier
from jaxmpi_lint.checks.jax.set_loops import SetLoop, adds_to_trace, set_loops
from jaxmpi_lint.checks.trace_steps import entry_name, trace_steps
from jaxmpi_lint.findings.diagnostics import Applicability, Confidence, Severity
from jaxmpi_lint.library.model import Tracing
from jaxmpi_lint.rules.base import Example, Finding, Repair, Rule, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program


class SetOrderInTrace(Rule):
    """Set iterated while a program for several processes is traced.

    ## What it does
    Reports a loop or comprehension over a set inside a function that JAX traces, if the loop adds operations to the
    program or collects arrays in order, and lists of arrays in the order of a set that are handed to a compiled
    function. Only projects that run as several processes are looked at.

    ## Why is this bad?
    Python salts the hashes of strings anew in each process, so each process walks through the set in an order of its
    own and compiles another program under the same name. Collectives then match by position: arrays of different
    meaning are added up without an error, or the compilation hangs while it compares notes with the other processes.

    ## Example
    ```python
    import jax

    GROUPS = {"attention", "embed", "output"}


    @jax.jit
    def weighted(arrays):
        total = 0.0
        for weight, group in enumerate(GROUPS):
            total = total + weight * arrays[group].mean()
        return total


    jax.distributed.initialize()
    ```

    ## Use instead
    ```python
    import jax

    GROUPS = {"attention", "embed", "output"}


    @jax.jit
    def weighted(arrays):
        total = 0.0
        for weight, group in enumerate(sorted(GROUPS)):
            total = total + weight * arrays[group].mean()
        return total


    jax.distributed.initialize()
    ```

    ## Fix safety
    Safe where the set visibly holds strings only. Elsewhere unsafe: `sorted` raises `TypeError` for elements that
    cannot be compared with each other.

    ## How sure
    High for sets that visibly hold strings. Medium for sets of the keys of dicts and of objects that are hashed by
    address, low for sets of unknown elements: the order of small integers is the same everywhere. Silent for
    `sorted(...)`, for sets of integers, for set and dict results without operations, and for loops that only test,
    count, complain or remove.

    ## Known misses
    Sets behind calls of `map` and `filter` with functions, sets that pass through fields of objects of other libraries.

    ## References
    Python documentation, `object.__hash__` and `PYTHONHASHSEED`; JAX documentation, "Introduction to multi-controller
    JAX": all processes run the same computations in the same order.
    """

    code = "JM614"
    name = "set-order-in-trace"
    severity = Severity.ERROR
    sanitizer = ("JS501", "JS507")
    fix = Applicability.SAFE

    def check(self, project: Program) -> Iterator[Finding]:
        found = [finding for module in project.reported_modules() for finding in self.check_module(module)]
        if found and runs_as_several_processes(project):
            yield from found

    def check_function(self, function: Function) -> Iterator[Finding]:
        trace = function.project.traced.trace_of(function)
        if trace is not None and tier(trace.transform) == 0:
            for loop in set_loops(function):
                if adds_to_trace(function, loop):
                    what = f"a set is iterated while {entry_name(function)} is traced by `{trace.transform.name}`"
                    yield self._report(function, loop, what, trace_steps(function))
        elif trace is None and Compiled in function.calls_by_callee:
            yield from self._arguments(function)

    def _arguments(self, function: Function) -> Iterator[Finding]:
        """Lists in the order of a set that are handed to compiled functions."""
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
                    yield self._report(function, loops[node.span], what, (step,))

    def _report(self, function: Function, loop: SetLoop, what: str, steps: tuple[Step, ...]) -> Finding:
        text = loop.elements is Hash.SALTED
        known = loop.from_keys or loop.elements is Hash.IDENTITY
        sure = Confidence.HIGH if text else Confidence.MEDIUM if known else Confidence.LOW
        source = function.module.source(loop.walked.span)
        return self.finding(
            function.module,
            loop.walked.span,
            f"{what}: its order differs from process to process, and so does the program",
            steps=steps,
            remedy="iterate over `sorted(...)` of the set",
            repair=Repair(
                Applicability.SAFE if text else Applicability.UNSAFE,
                "sort the elements",
                ((loop.walked.span, f"sorted({source})"),),
            ),
            confidence=sure,
        )

    VALID = (
        """\
import jax

GROUPS = {"attention", "embed", "output"}


@jax.jit
def total(arrays):
    return sum(arrays[group].mean() for group in sorted(GROUPS))


jax.distributed.initialize()
""",
        """\
import jax

AXES = {0, 1, 2}


@jax.jit
def total(x):
    for axis in AXES:
        x = x + x.sum(axis=axis, keepdims=True)
    return x


jax.distributed.initialize()
""",
    )
    INVALID = (
        Example(
            """\
import jax

GROUPS = {"attention", "embed", "output"}


@jax.jit
def total(arrays):
    out = 0.0
    for weight, group in enumerate(GROUPS):  #! JM614
        out = out + weight * arrays[group].mean()
    return out


jax.distributed.initialize()
""",
            fixed="""\
import jax

GROUPS = {"attention", "embed", "output"}


@jax.jit
def total(arrays):
    out = 0.0
    for weight, group in enumerate(sorted(GROUPS)):
        out = out + weight * arrays[group].mean()
    return out


jax.distributed.initialize()
""",
        ),
        """\
import jax


def merge(old, new):
    out = []
    for name in old.keys() & new.keys():  #! JM614
        out.append(old[name] + new[name])
    return out


@jax.jit
def step(old, new):
    return sum(merge(old, new))


jax.distributed.initialize()
""",
    )


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
