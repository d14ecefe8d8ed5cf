"""JM216: object that cannot be pickled."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class UnpicklableObject(Rule):
    """Object that cannot be pickled.

    ## What it does
    Reports a lambda, a function or class that is defined inside a function, a generator, or an open file that a
    lower-case method of mpi4py sends, also as an item of a container or a field of an object.

    ## Why is this bad?
    The call raises `PicklingError`, `AttributeError` or `TypeError` on the rank that sends. The others wait for it.

    ## Example
    ```python
    scale = (lambda x: 2 * x) if rank == 0 else None
    scale = comm.bcast(scale, root=0)
    ```

    ## Use instead
    ```python
    factor = 2 if rank == 0 else None
    factor = comm.bcast(factor, root=0)


    def scale(x):
        return factor * x
    ```

    ## Confidence
    High: the object that is sent is known. Silent in projects that name `dill`, `cloudpickle`, `copyreg` or
    `MPI.pickle`, about classes with `__getstate__`, `__reduce__` or bases, and for messages to `MPI.PROC_NULL`.

    ## Known false negatives
    Objects of libraries, except files. Functions that no script of the project calls.

    ## References
    Python, `pickle`: what can be pickled. mpi4py, `MPI.pickle`.
    """

    code = "JM216"
    name = "unpicklable-object"
    severity = Severity.ERROR
    in_tests = Severity.WARNING

    VALID = (
        """
        from mpi4py import MPI

        class Task:
            def __init__(self, name):
                self.name = name

            def run(self):
                return len(self.name)

        def double(x):
            return 2 * x

        comm = MPI.COMM_WORLD
        function = comm.bcast(double if comm.rank == 0 else None, root=0)
        tasks = comm.bcast([Task("a"), Task("b")] if comm.rank == 0 else None, root=0)
        print(function(len(tasks)), comm.gather(tasks[0].run(), root=0))
        """,
        """
        import cloudpickle
        from mpi4py import MPI

        MPI.pickle.__init__(cloudpickle.dumps, cloudpickle.loads)
        comm = MPI.COMM_WORLD
        print(comm.bcast((lambda x: 2 * x) if comm.rank == 0 else None, root=0)(1))
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        scale = (lambda x: 2 * x) if comm.rank == 0 else None
        scale = comm.bcast(scale, root=0)  #! JM216
        print(scale(comm.rank))
        """,
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD

        class Job:
            def __init__(self, path):
                self.log = open(path)

        def serve():
            def measure(x):
                return abs(x)

            if comm.rank == 0:
                comm.send({"kind": "call", "function": measure}, dest=1)  #! JM216
            elif comm.rank == 1:
                comm.recv(source=0)

        def hand_over():
            if comm.rank == 0:
                comm.send(Job("log.txt"), dest=1)  #! JM216
            elif comm.rank == 1:
                comm.recv(source=0)

        if comm.size == 2:
            serve()
        else:
            hand_over()
        """,
    )
