"""JM125: value that some ranks keep."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.lone_values.after_broadcast import ReplacedAfterBroadcast, replaced_after_broadcast
from jaxmpi_lint.checks.lone_values.counters_of_one_rank import CounterOfOneRank, counters_of_one_rank
from jaxmpi_lint.checks.lone_values.returned_parts import ReturnedPart, returned_parts
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule, Variant

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


def _found(function: Function) -> Iterator[ReplacedAfterBroadcast | ReturnedPart | CounterOfOneRank]:
    yield from replaced_after_broadcast(function)
    yield from returned_parts(function)
    yield from counters_of_one_rank(function)


class StaleValue(CheckRule):
    """Old value on some ranks.

    ## What it does
    Reports a value that one rank replaces, while the other ranks keep the old one and compute with it what they send: a
    name, a field or an array that is assigned under a test of the rank, fields that a method sets to what it reads from
    a file, or the receive buffer of `Reduce` or `Gather`, which changes on the root only, also where a test of it
    decides whether a rank calls a collective, or the result of `mpi4jax.reduce` or `mpi4jax.gather`, which on the other
    ranks is what they handed in. Also memory from `numpy.empty` on one side of a test of the rank, of which the other
    side has data, and zeros, where it has data that one process reads or draws: the broadcast is missing. Also such a
    receive buffer that a rank other than the root writes into a file; a value that is broadcast, and then replaced
    under a test of the rank before all ranks read it. Also a value that each rank sends to the root, which alone
    combines the values, and that all ranks then return, and a counter that one rank advances and with which all ranks
    compute.

    ## Why is this bad?
    Nothing fails. The ranks compute with different values, and the result is wrong.

    ## Example
    ```python
    width = 1.0
    rates = comm.gather(rate, root=0)
    if comm.rank == 0:
        width *= 0.5 if sum(rates) < comm.size else 2.0
    total = comm.allreduce(width * sum(samples))
    ```

    ## Use instead
    ```python
    width = 1.0
    rates = comm.gather(rate, root=0)
    if comm.rank == 0:
        width *= 0.5 if sum(rates) < comm.size else 2.0
    width = comm.bcast(width, root=0)
    total = comm.allreduce(width * sum(samples))
    ```

    ## Confidence
    Medium: the new value comes from a file, the user, a random number or a collective with a root, so that the other
    ranks cannot have it, or the rank prints it; the old value is equal on all ranks and neither None, empty nor zero.
    Also for counters that one rank advances by the number of processes.
    Low for other values, which may be meant for one rank, such as that of a border, for other counters of one rank, and
    for parts that all ranks return: callers may use those of the root alone. Silent if the ranks pass on the value
    as it is, since that may spread it, for sums of zeros, for memory that an unknown call may fill, and for counters
    outside of a loop, whose rank may have one element more.

    ## Known false negatives
    Old values that only decide what the ranks do, or that go into files; functions that no script of the project calls.

    ## References
    MPI 4.1, section 6.9.1: the receive buffer of a reduction is significant at the root only.
    """

    code = "JM125"
    name = "stale-value"
    severity = Severity.WARNING
    in_tests = Severity.INFO
    detect = in_functions(_found)
    message = "`{d.text}` is replaced on some ranks after its broadcast: the others continue with its old value"
    remedy = "broadcast the new value before the other ranks compute with it"
    variants: ClassVar = {
        "returned": Variant(
            message="the root alone combines `{d.text}` of all ranks here: the others return their own",
            remedy="use `allgather` or `allreduce`, or broadcast the value before all ranks return it",
        ),
        "counted": Variant(
            message="some ranks advance `{d.text}`, and all ranks compute with it: the others have its first value",
            remedy="advance it on all ranks",
        ),
    }

    VALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        local = np.ones(3)
        total = np.zeros(3)
        comm.Reduce(local, total, op=MPI.SUM, root=0)
        mean = total / comm.size
        if comm.rank == 0:
            print(mean)
        """,
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        step = 0.5
        if comm.rank == 0:
            step = float(open("step.txt").read())
        step = comm.bcast(step, root=0)
        total = comm.allreduce(step * comm.rank)
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        step = 0.5
        if comm.rank == 0:
            step = float(open("step.txt").read())  #! JM125
        total = comm.allreduce(step * comm.rank)
        """,
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        local = np.ones(3) * comm.rank
        total = np.zeros(3)
        comm.Reduce(local, total, op=MPI.SUM, root=0)  #! JM125
        spread = comm.allreduce(float(((local - total / comm.size) ** 2).sum()))
        """,
    )
