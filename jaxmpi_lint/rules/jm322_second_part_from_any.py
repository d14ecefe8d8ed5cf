"""JM322: second part of a message from any rank."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.mpi4py.second_parts import second_parts
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class SecondPartFromAny(CheckRule):
    """Second part of a message from any rank.

    ## What it does
    Reports two receives from `MPI.ANY_SOURCE` that follow each other with different tags, where a function of the
    project sends two messages with these tags to one rank. Also a `Recv` from any rank whose buffer is too short for a
    message that a different rank has sent.

    ## Why is this bad?
    Each receive takes the next message with its tag, of whichever rank. If two ranks send at about the same time, the
    second receive may take the data of one rank after the header of the other: the data is stored in the wrong place,
    or does not fit into the buffer. With one sender it always works.

    ## Example
    ```python
    index, shape = comm.recv(source=MPI.ANY_SOURCE, tag=HEADER)
    data = np.empty(shape)
    comm.Recv(data, source=MPI.ANY_SOURCE, tag=DATA)
    ```

    ## Use instead
    ```python
    status = MPI.Status()
    index, shape = comm.recv(source=MPI.ANY_SOURCE, tag=HEADER, status=status)
    data = np.empty(shape)
    comm.Recv(data, source=status.Get_source(), tag=DATA)
    ```

    ## Confidence
    Medium: the program may let only one rank send at a time.

    ## Known false negatives
    Tags that are computed; receives in different functions, or with a branch or further communication in between,
    unless the lengths of the messages show it.

    ## References
    MPI 4.1, section 3.2.4 (`MPI_ANY_SOURCE`) and section 3.5 (the order of messages is that of one sender).
    """

    code = "JM322"
    name = "second-part-from-any"
    severity = Severity.WARNING
    detect = in_functions(second_parts)
    message = "this `{d.method}` takes the second part of a message from any rank: it may be that of a different sender"
    remedy = "receive it from the sender of the first part, `status.Get_source()`"

    VALID = (
        """
        import numpy as np
        from mpi4py import MPI

        HEADER, DATA = 1, 2

        def send(comm, index, data):
            comm.send((index, data.shape), dest=0, tag=HEADER)
            comm.Send(data, dest=0, tag=DATA)

        def receive(comm):
            status = MPI.Status()
            index, shape = comm.recv(source=MPI.ANY_SOURCE, tag=HEADER, status=status)
            data = np.empty(shape)
            comm.Recv(data, source=status.Get_source(), tag=DATA)
            return index, data

        def count(comm):
            first = comm.recv(source=MPI.ANY_SOURCE, tag=DATA)
            second = comm.recv(source=MPI.ANY_SOURCE, tag=HEADER)
            return first + second
        """,
    )
    INVALID = (
        """
        import numpy as np
        from mpi4py import MPI

        HEADER, DATA = 1, 2

        def send(comm, index, data):
            comm.send((index, data.shape), dest=0, tag=HEADER)
            comm.Send(data, dest=0, tag=DATA)

        def receive(comm):
            index, shape = comm.recv(source=MPI.ANY_SOURCE, tag=HEADER)
            data = np.empty(shape)
            comm.Recv(data, tag=DATA)  #! JM322
            return index, data
        """,
    )
