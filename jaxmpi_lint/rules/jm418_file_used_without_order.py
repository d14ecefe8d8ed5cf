"""JM418: file used without order."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.checks.base import InFunctions
from jaxmpi_lint.checks.files.changes import users
from jaxmpi_lint.checks.files.order import uses_without_order
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule, Variant


class FileUsedWithoutOrder(CheckRule):
    """File used without order.

    ## What it does
    Reports that a rank reads, lists or uses a file or folder that another rank writes, makes or removes, if no message
    and no collective stands between the two. Also reports that one rank reads the files of all ranks before they have
    all written theirs, or that one opens a file of HDF5 that another one has open for changes.

    ## Why is this bad?
    The rank may be earlier: the file does not exist yet, is incomplete, or is from the last run. It may also be later
    than a rank that removes the file. HDF5 locks a file that is open for changes: opening it elsewhere fails.

    ## Example
    ```python
    if comm.rank == 0:
        np.save("mesh.npy", make_mesh())
    mesh = np.load("mesh.npy")
    ```

    ## Use instead
    ```python
    if comm.rank == 0:
        np.save("mesh.npy", make_mesh())
    comm.Barrier()
    mesh = np.load("mesh.npy")
    ```

    ## Confidence
    Medium: one run may end well. Any collective of both ranks between the two accesses counts as their order. Silent
    where the rank that is too early makes the folder itself, as `os.makedirs` and `mkdir(parents=True)` make those
    above, where the rank that makes a folder has read a file in it before, where a handler opens a file again until
    a different rank has renamed it, after methods of unknown objects that are named like communicating methods of the
    project, and where what may order the ranks is in a loop that has no items by default.

    ## Known false negatives
    Paths that a call without a model computes, or that are spelt in two ways; files that `logging.config` opens;
    collectives that do not order the two, such as a `gather` to the rank that writes; a file whose existence the rank
    has tested, since it may wait for it; programs that change the working directory, or in which an unknown call may
    order the ranks.

    ## References
    MPI 4.1, section 6.3: only a barrier synchronises all processes of a communicator.
    """

    code = "JM418"
    name = "file-used-without-order"
    severity = Severity.WARNING
    detect = InFunctions(uses_without_order, users)
    message = "every rank {d.used} a path that some ranks {d.done_plural}, and nothing orders the two"
    remedy = "call `Barrier` between the two, or broadcast what was read"
    variants: ClassVar = {
        "gathered": Variant(message="this reads the files of all ranks, and nothing waits until each rank has written"),
        "below": Variant(message="every rank uses a folder that some ranks make, and nothing orders the two"),
        "changed": Variant(
            message="some ranks {d.done_plural} a path that every rank {d.used}, and nothing orders the two"
        ),
    }

    VALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        if comm.rank == 0:
            np.save("mesh.npy", np.ones(3))
        comm.Barrier()
        mesh = np.load("mesh.npy")
        """,
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        if comm.rank == 0:
            with open("table.txt", "w") as out:
                out.write("1 2 3")
            for other in range(1, comm.size):
                comm.send("ready", dest=other)
        else:
            comm.recv(source=0)
        print(open("table.txt").read())
        """,
    )
    INVALID = (
        """
        import numpy as np
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        if comm.rank == 0:
            np.save("mesh.npy", np.ones(3))
        mesh = np.load("mesh.npy")  #! JM418
        comm.Barrier()
        """,
        """
        import os
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        folder = "out"
        if comm.rank == 0:
            os.makedirs(folder)
        with open(os.path.join(folder, f"part{comm.rank}"), "w") as out:  #! JM418
            out.write("1")
        comm.Barrier()
        """,
    )
