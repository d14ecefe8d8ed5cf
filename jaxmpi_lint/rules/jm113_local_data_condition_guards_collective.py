"""JM113: collective that depends on data that differs between processes."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.analysis.divergence.divergence import Cause
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Example, Variant
from jaxmpi_lint.rules.divergence_rule import DivergenceRule


class LocalDataConditionGuardsCollective(DivergenceRule):
    """Collective that depends on data that differs between processes.

    ## What it does
    Reports a collective that is executed, skipped or repeated depending on data of one process: an element, a slice or
    a random sequence that the rank selects, the result of a `scatter`, `scan` or `exscan`, or a received message.

    ## Why is this bad?
    Each process tests different data. As soon as the outcomes differ, some processes enter the collective and the
    others do not.

    ## Example
    ```python
    comm.Scatter(residuals, mine, root=0)
    while mine.max() > tolerance:
        mine = smooth(mine)
        comm.Barrier()
    ```

    ## Use instead
    ```python
    comm.Scatter(residuals, mine, root=0)
    while comm.allreduce(mine.max(), op=MPI.MAX) > tolerance:
        mine = smooth(mine)
        comm.Barrier()
    ```

    ## Confidence
    Medium where the data provably belongs to one process and is not computed by the linter, such as an element of
    common data that the rank selects: two ranks may select equal elements. Low, and hidden by default, for a received
    message, whose contents may be equal on all processes, and for data that passes an unknown call. Tests of the rank,
    and of the result of a collective where the analysis of the function finds the divergence, are reported by the rule
    for the kind of test, such as JM101.

    ## Known false negatives
    Data that a process reads from files of the same name; data that a process computes from its environment.

    ## Suppression
    `# jaxmpi-lint: uniform` on the test, if its outcome is known to be the same on all processes.

    ## References
    MPI 4.1, section 6.14 (correctness of collective operations). Runtime check: JS101.
    """

    code = "JM113"
    name = "local-data-condition-guards-collective"
    severity = Severity.WARNING
    in_tests = Severity.INFO
    sanitizer = ("JS101",)
    selects = Cause.LOCAL_DATA
    message = "execution of {d.event.title} depends on the message that each process received"
    variants: ClassVar = {
        "element": Variant(
            message="execution of {d.event.title} depends on the element of the data that each process selects"
        ),
    }
    remedy = "combine the answers of all processes before the test{at_run_time}"

    VALID = (
        """
        from mpi4py import MPI

        def agreed(comm, left):
            more = comm.allreduce(comm.recv(source=left), op=MPI.LOR)
            if more:
                comm.Barrier()
        """,
        """
        import sys
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        share = comm.scatter(sys.argv, root=0)
        if share:
            print(share)
        largest = comm.allreduce(len(share), op=MPI.MAX)
        if largest > 3:
            comm.Barrier()
        """,
        Example(
            """
            from mpi4py import MPI

            def printed(comm):
                text = comm.recv(source=0)
                if text:
                    print(text)
                comm.Barrier()
            """,
            settings={"min-confidence": "low"},
        ),
    )
    INVALID = (
        """
        import sys
        from mpi4py import MPI


        def is_positive(comm, values):
            share = comm.scatter(values, root=0)
            return float(share) > 0


        comm = MPI.COMM_WORLD
        if is_positive(comm, sys.argv):
            comm.Barrier()  #! JM113
        """,
        Example(
            """
            from mpi4py import MPI

            def told(comm, left):
                more = comm.recv(source=left)
                if more:
                    comm.Barrier()  #! JM113
            """,
            settings={"min-confidence": "low"},
        ),
        Example(
            """
            from mpi4py import MPI

            def exchange(comm):
                comm.Barrier()
                comm.Barrier()

            def run(comm):
                count = int(comm.recv(source=0))
                if count > 3:
                    exchange(comm)  #! JM113
            """,
            settings={"min-confidence": "low"},
        ),
    )
