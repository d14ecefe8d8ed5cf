"""JM113: collective guarded by received data."""

from __future__ import annotations

from jaxmpi_lint.analysis.divergence.divergence import Cause
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.divergence_rule import DivergenceRule


class LocalDataConditionGuardsCollective(DivergenceRule):
    """Collective guarded by received data.

    ## What it does
    Reports a collective that is executed or repeated depending on the contents of a message that each process receives
    separately.

    ## Why is this bad?
    Each process receives a different message. Unless the senders ensure that all messages have the same contents, some
    processes enter the collective and the others do not.

    ## Example
    ```python
    more = comm.recv(source=left)
    if more:
        comm.Barrier()
    ```

    ## Use instead
    ```python
    more = comm.allreduce(comm.recv(source=left), op=MPI.LOR)
    if more:
        comm.Barrier()
    ```

    ## Confidence
    A hint: the analysis cannot establish whether the messages are the same, and often they are. Per-process results of
    a collective (`scatter`, `scan`) are reported by the rule for the kind of test, such as JM101.

    ## Known false negatives
    Data that a process read or computed itself.

    ## Suppression
    `# jaxmpi-lint: uniform` on the test, if all processes are known to receive the same contents.

    ## References
    MPI 4.1, section 6.14 (correctness of collective operations). Runtime check: JS101.
    """

    code = "JM113"
    name = "local-data-condition-guards-collective"
    severity = Severity.INFO
    in_tests = Severity.INFO
    sanitizer = ("JS101",)
    selects = Cause.LOCAL_DATA
    preview = True
    message = "execution of {d.event.title} depends on the message that each process received"
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
        from mpi4py import MPI

        def printed(comm):
            text = comm.recv(source=0)
            if text:
                print(text)
            comm.Barrier()
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        def told(comm, left):
            more = comm.recv(source=left)
            if more:
                comm.Barrier()  #! JM113
        """,
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
    )
