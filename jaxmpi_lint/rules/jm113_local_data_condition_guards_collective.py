"""JM113."""

from __future__ import annotations

from jaxmpi_lint.analysis.divergence.divergence import Cause
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.divergence_rule import DivergenceRule


class LocalDataConditionGuardsCollective(DivergenceRule):
    """Received data decides about a collective.

    ## What it does
    Reports a collective that is reached or not, or repeated, depending on the contents of a message that each process
    receives for itself.

    ## Why is this bad?
    Every process gets a message of its own. If the senders do not make sure that all of them say the same, some
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
    A hint: whether the messages are the same is not known, and often they are. What a collective gives to each process
    alone (`scatter`, `scan`) is reported with the code of the place, such as JM101.

    ## Known false negatives
    Data that a process read or computed itself.

    ## Suppression
    `# jaxmpi-lint: uniform` on the test, where all processes are told the same.

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
    message = "{d.event.title} is reached or not by the message that each process received"
    remedy = "agree on the answer before the test{at_run_time}"

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
