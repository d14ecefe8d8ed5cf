"""JM108."""

from __future__ import annotations

from jaxmpi_lint.analysis.divergence.divergence import Cause
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.divergence_rule import DivergenceRule


class RankDependentLoopCount(DivergenceRule):
    """Loop with a collective in it that makes another number of passes on each rank.

    ## What it does
    Reports a collective in the body of a loop whose number of passes depends on the rank: a loop over a slice or a
    range that starts, ends or steps by the rank, or a `while` whose test depends on it.

    ## Why is this bad?
    The ranks that are done leave the loop; the others wait in the collective of a pass that these never make. With a
    number of items that happens to be divisible by the number of ranks the program works, and the hang comes with the
    next set of data.

    ## Example
    ```python
    for item in items[comm.rank :: comm.size]:
        work(item)
        comm.Barrier()
    ```

    ## Use instead
    ```python
    for item in items[comm.rank :: comm.size]:
        work(item)
    comm.Barrier()
    ```

    ## Confidence
    High when the rank itself decides, medium when it does so through other values. Silent for a range or a slice of
    which both ends depend on the rank, because both may be as far apart on every rank; for loops of the same
    communication that together make as many passes everywhere (`range(rank)` and `range(size - rank)`); where the
    program tests whether the number of items is divisible; for a share that is cut to an agreed length
    (`mine[:count]`), filled up to one (`while len(mine) < count`) or left by a counter; and for loops in which one role
    awaits commands.

    ## Known false negatives
    Loops over a process's own data; shares that are shorter than the length they are cut to; generators that yield
    under a condition of their own, or in several loops.

    ## Suppression
    `# jaxmpi-lint: uniform` on the header, where the number of passes is the same for a reason that cannot be seen.

    ## References
    MPI 4.1, section 6.14 (correctness of collective operations). Runtime check: JS101.
    """

    code = "JM108"
    name = "rank-dependent-loop-count"
    severity = Severity.ERROR
    specificity = 50
    in_tests = Severity.WARNING
    sanitizer = ("JS101",)
    selects = Cause.LOOP
    message = "{d.event.title} in a loop that makes another number of passes on each rank"
    remedy = "take the call out of the loop, or give every rank the same number of passes{at_run_time}"

    VALID = (
        """
        from mpi4py import MPI

        def sections(comm, items):
            for item in items[comm.rank::comm.size]:
                print(item)
            comm.Barrier()
        """,
        """
        from mpi4py import MPI

        def equalised(comm, items):
            mine = items[comm.rank::comm.size]
            passes = comm.allreduce(len(mine), op=MPI.MAX)
            for index in range(passes):
                if index < len(mine):
                    print(mine[index])
                comm.Barrier()
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        def work(comm, items):
            for item in items[comm.rank::comm.size]:
                print(item)
                comm.Barrier()  #! JM108
        """,
        """
        from mpi4py import MPI

        def log(comm, text):
            comm.Barrier()
            print(text)
            comm.Barrier()

        def each(comm, items):
            mine = items[: comm.rank]
            for item in mine:
                log(comm, item)  #! JM108
        """,
    )
