"""JM801."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.nondeterminism.set_iterations import set_iterations, sort_elements
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import CheckRule, Example


class SetIterationCollective(CheckRule):
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

    ## Confidence
    High when the elements are visibly text, medium when nothing is known of them. Silent for sets of numbers, whose
    hashes are not salted; for elements that are used as ranks, or whose names say that they are numbers; for results
    of `sorted`, `numpy.unique` and lists that are sorted in place; for loops whose communication does not depend on
    the element; and for messages one way, which may say themselves what they are.

    ## Known false negatives
    Sets that arrive as parameters; dictionaries filled in the order of a set; numbers in sets of different history.

    ## References
    Python reference, data model, `object.__hash__`: hash values of `str` and `bytes` are salted. MPI 4.1, section 6.14
    (collectives are called in the same order by all processes). Runtime checks: JS101, JS507.
    """

    code = "JM801"
    name = "set-iteration-collective"
    severity = Severity.ERROR
    specificity = 120
    sanitizer = ("JS507", "JS101", "JS102", "JS103", "JS104", "JS109", "JS112", "JS207")
    fix = Applicability.SAFE
    detect = in_functions(set_iterations)
    repair = sort_elements
    message = "every process walks through this set in another order and calls `{d.called}` for other elements"
    remedy = "loop over `sorted({d.sorted_part})`"

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
