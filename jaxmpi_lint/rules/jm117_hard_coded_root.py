"""JM117: a function takes the root, and a collective in it has another."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_communicating
from jaxmpi_lint.checks.collectives.root_story import constant_roots, passed_root
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import CheckRule, Example


class HardCodedRoot(CheckRule):
    """Constant root in a function that is told the root.

    ## What it does
    Finds collectives with a root (`bcast`, `scatter`, `gather`, `reduce` and their like) whose root is a constant, or
    left to its default of 0, in a function that has a parameter for the root.

    ## Why is this bad?
    The function works as long as it is called with root 0. Called with another root it sends the data of rank 0 in
    place of the root's, or leaves the result with a rank that throws it away. Nothing fails: all ranks agree on the
    wrong root.

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
    Safe: for the callers that pass the constant nothing changes, and the others get what they ask for. None is offered
    where the parameter may also be `None` or another mark, or is given a new value.

    ## Confidence
    High where the parameter is visibly a rank of the same communicator (it is the root of another collective, or is
    compared with the rank), medium where only its name says so. A parameter with another name is taken for the root
    only if the data sent are made, or the result is used, by the rank that is equal to it. Silent if the parameter is
    a path or another object, names a rank of another communicator, is compared with a number, is the partner of a
    message, if an overriding method does not use it, if the function also asks for the rank that is the constant, and
    for a result that goes to a fixed root and is broadcast from there. Low if the parameter says who gets a result and
    the constant whose data are sent, or the reverse.

    ## Known false negatives
    Roots kept in a field of an object; constants in functions that the function calls.

    ## References
    MPI 4.1, section 6.2.4: all members of the group name the same root. mpi4py: the root is 0 where it is left out.
    """

    code = "JM117"
    name = "hard-coded-root"
    severity = Severity.WARNING
    fix = Applicability.SAFE
    detect = in_communicating(constant_roots)
    message = "`{d.method}` has {d.shown}, whatever `{d.name}` is"
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
