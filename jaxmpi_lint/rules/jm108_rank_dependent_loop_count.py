"""JM108: collective in a loop with a rank-dependent trip count."""

from __future__ import annotations

from jaxmpi_lint.analysis.divergence.divergence import Cause
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.divergence_rule import DivergenceRule


class RankDependentLoopCount(DivergenceRule):
    """Collective in a loop with a rank-dependent trip count.

    ## What it does
    Reports a collective in the body of a loop whose trip count depends on the rank: a loop over a slice or a range
    whose start, end or step depends on the rank, or a `while` loop whose test depends on it.

    ## Why is this bad?
    The ranks that have finished exit the loop. The other ranks block in the collective of an iteration that the
    finished ranks never execute. The program works as long as the number of items happens to be divisible by the number
    of ranks, and hangs with the next data set.

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
    High if the rank itself determines the trip count, medium if a value derived from it does. Not reported: a range or
    a slice of which both ends depend on the rank, because it may have the same length on every rank; loops with the
    same communication whose trip counts add up to the same number on all ranks (`range(rank)` and
    `range(size - rank)`); programs that test whether the number of items is divisible; loops over local data that are
    truncated to a uniform length (`mine[:count]`), that are padded by a number of elements that depends on their length
    (`mine + [None] * (count - len(mine))`, `while len(mine) < count: mine.append(None)`), or that a counter ends;
    loops in which one role waits for commands.

    ## Known false negatives
    Loops over per-process data; local data that are shorter than the length to which they are truncated; generators
    that yield under an additional condition, or in several loops; numbers that some ranks receive in messages, which
    may make them equal.

    ## Suppression
    `# jaxmpi-lint: uniform` on the loop header, if the trip count is uniform for a reason that the analysis cannot see.

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
    message = "{d.event.title} in a loop whose trip count depends on the rank"
    remedy = "move the call out of the loop, or make the trip count the same on all ranks{at_run_time}"

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
