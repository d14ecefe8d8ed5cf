"""JM801: communication in the iteration order of a set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.nondeterminism.set_iterations import SetIteration, set_iterations, set_shares, sort_elements
from jaxmpi_lint.checks.nondeterminism.set_numberings import SetNumbering, set_numberings
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import CheckRule, Example, Variant

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


def _found(function: Function) -> Iterator[SetIteration | SetNumbering]:
    yield from set_iterations(function)
    yield from set_shares(function)
    yield from set_numberings(function)


class SetIterationCollective(CheckRule):
    """Communication in the iteration order of a set.

    ## What it does
    Reports loops and comprehensions over a set (or over a list, dictionary or view derived from one) that communicate
    for each element: through a collective, messages in both directions, a function of the project, or the launch of a
    compiled JAX program on a global array. A set that is broadcast is one too: each process makes its own set of what
    it receives. With severity warning, also the place at which ranks take items that then select different collectives,
    that are combined with different items of the other ranks, as after a sort by a key with equal values, or whose
    messages wait for each other.
    Also reports that each rank selects strings by their position in a set. With severity warning, it reports a table of
    numbers for the strings of a set that a collective has made equal on all ranks, `{word: number for number, word in
    enumerate(words)}`.

    ## Why is this bad?
    Python salts string hashes differently in every process, so processes iterate over equal sets in different orders.
    Communication for one element is then matched with communication for a different element: the processes hang, or
    exchange the wrong data without an error.

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
    Safe where the elements are provably strings: `sorted` gives the same order in every process. Unsafe otherwise,
    because elements that cannot be compared raise `TypeError`.

    ## Confidence
    High when the elements are provably strings, medium when their type is unknown. Silent for sets of numbers, whose
    hashes are not salted; for elements that are used as ranks, or whose names suggest numbers; for results of `sorted`,
    `numpy.unique` and lists that are sorted in place; for loops whose communication does not depend on the element; and
    for messages in one direction, which may identify their content themselves. Medium for numbers, which each rank may
    use for itself; silent if the table is broadcast, and if neither the values nor their names show strings.

    ## Known false negatives
    Sets of unknown elements that are passed as arguments; dictionaries filled in set order; sets of numbers with
    different insertion histories.

    ## References
    Python reference, data model, `object.__hash__`: hash values of `str` and `bytes` are salted. MPI 4.1, section 6.14
    (all members of the group execute collectives in the same order). Runtime checks: JS101, JS507.
    """

    code = "JM801"
    name = "set-iteration-collective"
    severity = Severity.ERROR
    specificity = 120
    sanitizer = ("JS507", "JS101", "JS102", "JS103", "JS104", "JS109", "JS112", "JS207")
    fix = Applicability.SAFE
    detect = in_functions(_found)
    repair = sort_elements
    message = "set iteration order differs between processes, so `{d.called}` is called with different elements"
    remedy = "iterate over `sorted({d.sorted_part})`"
    variants: ClassVar = {
        "share": Variant(
            "each rank selects its elements by position in a set, whose order differs between processes: the shares"
            " overlap, and some elements are missing",
            "select from `sorted({d.sorted_part})`",
        ),
        "numbers": Variant(
            "each rank numbers the elements of a set, whose order differs between processes: equal numbers stand for"
            " different elements",
            "number `sorted({d.sorted_part})`",
            Severity.WARNING,
        ),
    }

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
