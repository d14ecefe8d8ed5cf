"""JM319: answer of a test of a request as a condition."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class AnswerAsCondition(Rule):
    """Answer of a test as a condition.

    ## What it does
    Reports a program that uses the result of the lower-case method `Request.test` as a condition.

    ## Why is this bad?
    `test` returns a pair: whether the operation is over, and the message. A pair is always true, also `(False, None)`.
    The program takes the first answer for a message, or never waits for the operation.

    ## Example
    ```python
    while not request.test():
        relax(field)
    ```

    ## Use instead
    ```python
    while not request.Test():
        relax(field)
    ```

    ## Confidence
    High: the request is known.

    ## Known false negatives
    Functions that no script of the project calls; requests of which it is not known how they are made.

    ## References
    mpi4py, `MPI.Request.test`.
    """

    code = "JM319"
    name = "answer-as-condition"
    severity = Severity.ERROR
    in_tests = Severity.WARNING

    VALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        if comm.rank == 0:
            comm.send(1, dest=1)
            comm.send(2, dest=1)
        elif comm.rank == 1:
            request = comm.irecv(source=0)
            done, message = request.test()
            while not done:
                done, message = request.test()
            request = comm.irecv(source=0)
            answer = request.test()
            if not answer[0]:
                print(request.wait())
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        if comm.rank == 0:
            comm.send(1, dest=1)
        elif comm.rank == 1:
            request = comm.irecv(source=0)
            while not request.test():  #! JM319
                print("waits")
        """,
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        if comm.rank == 0:
            comm.send(1, dest=1)
        elif comm.rank == 1:
            request = comm.irecv(source=0)
            while True:
                answer = request.test()  #! JM319
                if answer:
                    print(answer[1])
                    break
        """,
    )
