"""JM117: hard-coded root in a function with a `root` parameter."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_communicating
from jaxmpi_lint.checks.collectives.root_story import constant_roots, passed_root
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import CheckRule, Example


class HardCodedRoot(CheckRule):
    """Hard-coded root in a function with a `root` parameter.

    ## What it does
    Reports rooted collectives (`bcast`, `scatter`, `gather`, `reduce` and similar) whose root is a constant, or left at
    its default of 0, in a function that has a parameter for the root.

    ## Why is this bad?
    The function works only as long as it is called with root 0. Called with a different root, it sends the data of rank
    0 instead of the root's, or delivers the result to a rank that discards it. No error is raised, because all ranks
    agree on the wrong root.

    ## Example
    ```python
    def share(comm, table, root):
        if comm.rank != root:
            table = None
        return comm.bcast(table, root=0)
    ```

    ## Use instead
    ```python
    def share(comm, table, root):
        if comm.rank != root:
            table = None
        return comm.bcast(table, root=root)
    ```

    ## Fix safety
    Safe: nothing changes for callers that pass the constant, and the others get the root that they pass. Not offered if
    the parameter may also be `None` or a different sentinel, or is reassigned.

    ## Confidence
    High if the parameter is provably a rank of the same communicator (it is the root of a different collective, or is
    compared with the rank), medium if only its name indicates it. A parameter with a different name is taken for the
    root only if the rank that is equal to it creates the data sent, or uses the result.

    Not reported if the parameter is a path or a different kind of object, is a rank of a different communicator, is
    compared with a number, or is the source or destination of a message; if an overriding method does not use it; if
    the function also tests for the rank that is the constant; and for a result that goes to a fixed root and is
    broadcast from there. Low if the parameter is the rank that receives a result and the constant is the rank whose
    data are sent, or the reverse.

    ## Known false negatives
    Roots stored in a field of an object; constants in called functions.

    ## References
    MPI 4.1, section 6.2.4: all members of the group name the same root. mpi4py: the root is 0 if it is omitted.
    """

    code = "JM117"
    name = "hard-coded-root"
    severity = Severity.WARNING
    fix = Applicability.SAFE
    detect = in_communicating(constant_roots)
    message = "`{d.method}` uses {d.shown} regardless of `{d.name}`"
    remedy = "pass `root={d.name}`"
    repair = passed_root

    VALID = (
        """
        from mpi4py import MPI

        def share(comm, table, root=0):
            return comm.bcast(table if comm.rank == root else None, root=root)
        """,
        """
        from mpi4py import MPI

        def leaders(comm, nodes, value, root):
            value = nodes.bcast(value, root=0)
            return comm.gather(value, root=root)
        """,
    )
    INVALID = (
        Example(
            """
            from mpi4py import MPI

            world = MPI.COMM_WORLD

            def load(path, root=0):
                text = None
                if world.Get_rank() == root:
                    text = open(path).read()
                return world.bcast(text)  #! JM117
            """,
            fixed="""
            from mpi4py import MPI

            world = MPI.COMM_WORLD

            def load(path, root=0):
                text = None
                if world.Get_rank() == root:
                    text = open(path).read()
                return world.bcast(text, root=root)
            """,
        ),
        Example(
            """
            import numpy as np
            import mpi4py.MPI as mpi

            class Reducer:
                def __init__(self, comm):
                    self.comm = comm

                def collect(self, local, root=0):
                    counts = self.comm.gather(local.size, root=root)
                    out = np.empty(sum(counts)) if self.comm.rank == root else None
                    self.comm.Gatherv(local, (out, counts), 0)  #! JM117
                    return out
            """,
            fixed="""
            import numpy as np
            import mpi4py.MPI as mpi

            class Reducer:
                def __init__(self, comm):
                    self.comm = comm

                def collect(self, local, root=0):
                    counts = self.comm.gather(local.size, root=root)
                    out = np.empty(sum(counts)) if self.comm.rank == root else None
                    self.comm.Gatherv(local, (out, counts), root)
                    return out
            """,
        ),
    )
