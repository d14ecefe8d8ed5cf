"""JM322: second part of a message from any rank."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.mpi4py.second_parts import FromAny, received_after_probes, second_parts
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule, Variant

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


def _found(function: Function) -> Iterator[FromAny]:
    yield from second_parts(function)
    yield from received_after_probes(function)


class SecondPartFromAny(CheckRule):
    """Second part of a message from any rank.

    ## What it does
    Reports two receives from `MPI.ANY_SOURCE` that follow each other with different tags, where a function of the
    project sends two messages with these tags to one rank. Also a `Recv` from any rank whose buffer is too short for a
    message that a different rank has sent, and a receive from any rank after `Probe`, if the program has asked the
    status of the probe for the sender, the tag or the length in between.

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
    Tags that are computed, other than members of a class; receives in different functions, or with a branch or further
    communication in between, unless the lengths of the messages show it.

    ## References
    MPI 4.1, section 3.2.4 (`MPI_ANY_SOURCE`) and section 3.5 (the order of messages is that of one sender), and
    section 3.8.1 (`MPI_PROBE`; its examples show why the receive must name the source that the status states).
    """

    code = "JM322"
    name = "second-part-from-any"
    severity = Severity.WARNING
    detect = in_functions(_found)
    message = "this `{d.method}` takes the second part of a message from any rank: it may be that of a different sender"
    remedy = "receive it from the sender of the first part, `status.Get_source()`"
    variants: ClassVar = {
        "probed": Variant(
            "this `{d.method}` takes the message of any rank, which may not be the one that the probe has found",
            "receive it with `source=status.Get_source()` and `tag=status.Get_tag()`",
        ),
    }

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
