"""JM801."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.jax.loop_bodies import LoopBody
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.nondeterminism.hash_provenance import Hash
from jaxmpi_lint.analysis.small_worlds.set_order import SetOrder, set_order
from jaxmpi_lint.findings.diagnostics import Applicability, Confidence, Severity
from jaxmpi_lint.rules.base import Example, Finding, Repair, Rule, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


class SetIterationCollective(Rule):
    """Order of a set decides the order of communication.

    ## What it does
    Reports loops and comprehensions over a set (or over a list, dictionary or view made from one) that communicate for
    each element: by a collective, by messages both ways, through a function of the project, or by starting a compiled
    JAX program on a global array.

    ## Why is this bad?
    Python salts the hashes of text anew in every process, so equal sets are walked through in different orders. The
    processes then pair up communication for different elements: they hang, or exchange the wrong data without an
    error.

    ## Example
    ```python
    for name in set(first) | set(second):
        totals[name] = comm.allreduce(values[name])
    ```

    ## Use instead
    ```python
    for name in sorted(set(first) | set(second)):
        totals[name] = comm.allreduce(values[name])
    ```

    ## Fix safety
    Safe where the elements are visibly text: `sorted` gives every process one order. Unsafe otherwise, because elements
    that cannot be compared raise `TypeError`.

    ## How sure
    High when the elements are visibly text, medium when nothing is known of them. Silent for sets of numbers, whose
    hashes are not salted; for elements that are used as ranks, or whose names say that they are numbers; for results
    of `sorted`, `numpy.unique` and lists that are sorted in place; for loops whose communication does not depend on
    the element; and for messages one way, which may say themselves what they are.

    ## Known misses
    Sets that arrive as parameters; dictionaries filled in the order of a set; numbers in sets of different history.

    ## References
    Python reference, data model, `object.__hash__`: hash values of `str` and `bytes` are salted. MPI 4.1, section 6.14
    (collectives are called in the same order by all processes). Runtime checks: JS101, JS507.
    """

    code = "JM801"
    name = "set-iteration-collective"
    severity = Severity.ERROR
    sanitizer = ("JS507", "JS101", "JS102", "JS103", "JS104", "JS109", "JS112", "JS207")
    fix = Applicability.SAFE

    VALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        values = {"a": 1, "b": 2}
        for name in sorted(set(values)):
            values[name] = comm.allreduce(values[name])
        for name in values:
            values[name] = comm.allreduce(values[name])
        """,
        """
        from mpi4py import MPI

        def wait(comm, hooks):
            for _ in {"before", "after"}:
                comm.Barrier()
            for hook in set(hooks):
                hook()
            comm.Barrier()
        """,
    )
    INVALID = (
        Example(
            """
            from mpi4py import MPI

            comm = MPI.COMM_WORLD
            for name in {"mass", "energy"}:  #! JM801
                comm.bcast(name)
            """,
            """
            from mpi4py import MPI

            comm = MPI.COMM_WORLD
            for name in sorted({"mass", "energy"}):
                comm.bcast(name)
            """,
        ),
        """
        from mpi4py import MPI

        def reduce(comm, field):
            return comm.allreduce(field.norm())

        class Model:
            FIELDS = frozenset(("u", "v"))

            def norms(self, comm):
                names = list(set(self.parts) - {"old"})
                for index, name in enumerate(names):  #! JM801
                    reduce(comm, self.parts[name])
        """,
    )

    def check_function(self, function: Function) -> Iterator[Finding]:
        """One finding for each loop in the order of a set that communicates."""
        for block, branch, _ in function.branches():
            if branch.kind not in ("for", "comprehension") or not isinstance(branch.test, ir.Element):
                continue
            env = function.flow.environment_before(block.index, None)
            order = set_order(function, branch.test.iterable, env)
            if order is None:
                continue
            body = LoopBody(function, block.index, branch)
            if order.elements is not Hash.SALTED and body.counts():
                continue
            communication = body.ordered_communication()
            if communication is not None:
                yield self._finding(function, branch.test.iterable, order, communication)

    def _finding(
        self, function: Function, iterable: ir.Expression, order: SetOrder, communication: BoundCall
    ) -> Finding:
        module = function.module
        text = module.source(communication.call.func.span)
        steps = [Step(module, communication.call.span, f"`{text}` is called in that order")]
        source = order.source.span
        if source != (0, 0) and not (order.function is function and _contains(iterable.span, source)):
            steps.insert(0, Step(order.function.module, source, "a set: every process has an order of its own"))
        safe = order.elements is Hash.SALTED
        return self.finding(
            module,
            iterable.span,
            f"every process walks through this set in another order and calls `{text}` for other elements",
            steps=tuple(steps),
            remedy=f"loop over `sorted({module.source(_wrapped(iterable).span)})`",
            repair=_repair(module, iterable, Applicability.SAFE if safe else Applicability.UNSAFE),
            confidence=Confidence.HIGH if safe else Confidence.MEDIUM,
        )


def _contains(outer: ir.Span, inner: ir.Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _wrapped(iterable: ir.Expression) -> ir.Expression:
    """The part of the iterable that is to be sorted: the argument of ``enumerate``, else all of it."""
    if not isinstance(iterable, ir.Call) or ir.dotted(iterable.func) not in ("enumerate", "list", "tuple", "iter"):
        return iterable
    first = iterable.args[0] if iterable.args else None
    return iterable if first is None or first.keyword is not None or first.star else _wrapped(first.value)


def _repair(module: ir.Module, iterable: ir.Expression, applicability: Applicability) -> Repair | None:
    start, end = _wrapped(iterable).span
    if "\n" in module.source((start, end)):
        return None
    return Repair(applicability, "sort the elements", (((start, start), "sorted("), ((end, end), ")")))
