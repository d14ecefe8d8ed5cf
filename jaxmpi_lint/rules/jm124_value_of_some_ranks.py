"""JM124: value that only some ranks have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.lone_values.broadcast_name import broadcast_name
from jaxmpi_lint.checks.lone_values.elsewhere import ResultElsewhere, results_elsewhere
from jaxmpi_lint.checks.lone_values.some_ranks import LoneValue, lone_values
from jaxmpi_lint.checks.lone_values.unbound_reads import UnboundRead, unbound_reads
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.findings.model import Repair
from jaxmpi_lint.rules.base import CheckRule, Variant

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


def _found(function: Function) -> Iterator[LoneValue | UnboundRead | ResultElsewhere]:
    yield from unbound_reads(function)
    yield from lone_values(function)
    yield from results_elsewhere(function)


def _broadcast(found: LoneValue | UnboundRead | ResultElsewhere) -> Repair | None:
    return broadcast_name(found) if isinstance(found, UnboundRead) else None


class ValueOfSomeRanks(CheckRule):
    """Value that only some ranks have.

    ## What it does
    Reports an operation of all ranks on a value that only some of them have: a name that is bound under a test of the
    rank, or a value that is None on the other ranks, such as the result of `comm.gather` or `comm.reduce`, or of a
    receive from `MPI.PROC_NULL`. Also a result of such a collective that only ranks other than its root read.

    ## Why is this bad?
    The other ranks raise `UnboundLocalError` or `TypeError`. With MPI, the job is aborted, or the rank that has the
    value waits for them in its next collective.

    ## Example
    ```python
    if comm.rank == 0:
        table = np.load("table.npy")
    start = table[comm.rank]
    ```

    ## Use instead
    ```python
    table = np.load("table.npy") if comm.rank == 0 else None
    table = comm.bcast(table, root=0)
    start = table[comm.rank]
    ```

    ## Fix safety
    Unsafe: for a name that one rank binds, the fix binds it to None before the test and broadcasts it after the test.
    Whether the value can be pickled, and is small enough for it, is not known. There is no fix for files and other
    objects that belong to one process, and for values that are None on some ranks.

    ## Confidence
    High where the function itself tests the rank, medium where it passes the value to the function that fails, and
    where the test asks an unknown library for the root (`mpi.is_master_node()`) and one side alone binds a name. Silent
    if a test that is not known to be equal on all ranks, or that names the value, guards the use, and where a handler
    may catch the exception.

    ## Known false negatives
    Attributes and dictionary entries that exist on some ranks only; values that differ but are nowhere missing.

    ## References
    mpi4py: `gather` and `reduce` of objects return None on all ranks but the root. Runtime check: JS108.
    """

    code = "JM124"
    name = "value-of-some-ranks"
    severity = Severity.ERROR
    in_tests = "silent"  # most tests are run by one process
    sanitizer = ("JS108",)
    fix = Applicability.UNSAFE
    detect = in_functions(_found)
    repair = _broadcast
    message = "`{d.text}` is None on some ranks: {d.does} fails there"
    remedy = "broadcast the value first, or use it only on the ranks that have it"
    variants: ClassVar = {
        "unbound": Variant("`{d.text}` is bound on some ranks only: this read fails on the others"),
        "elsewhere": Variant(
            "`{d.text}` is None here: only the root of `{d.method}` has the result",
            "pass the rank that uses the result as the root",
        ),
    }

    VALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        total = comm.reduce(comm.rank, op=MPI.SUM, root=0)
        if comm.rank == 0:
            print(total + 1)
        names = None
        if comm.rank == 0:
            names = ["a", "b"]
        names = comm.bcast(names, root=0)
        print(names[0])
        """,
        """
        from mpi4py import MPI

        def mean(comm, values):
            parts = comm.gather(sum(values), root=0)
            return sum(parts) / len(parts) if comm.rank == 0 else None
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        total = comm.reduce(comm.rank, op=MPI.SUM, root=0)
        print(total / comm.size)  #! JM124
        """,
        """
        from mpi4py import MPI

        def settings(comm, path):
            if comm.rank == 0:
                text = path.read_text()
            return text.splitlines()  #! JM124
        """,
        """
        from mpi4py import MPI

        def first(rows):
            return rows[0]  #! JM124

        def table(comm, path):
            rows = None
            if comm.Get_rank() == 0:
                rows = path.read_text().split()
            return first(rows)
        """,
    )
