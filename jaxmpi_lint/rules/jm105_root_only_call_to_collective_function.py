"""JM105."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.checks import divergence_story
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Finding
from jaxmpi_lint.rules.divergence_rule import DivergenceRule

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.divergence.divergence import Divergence
    from jaxmpi_lint.analysis.model.function import FunctionModel
    from jaxmpi_lint.analysis.model.module import ModuleModel


class RootOnlyCallToCollectiveFunction(DivergenceRule):
    """Function that communicates, called by only some ranks.

    ## What it does
    Reports a call in one arm of a test on the rank that runs a function, method or constructor of the project in which
    a collective is entered on every path, while the other arm enters no matching one. Properties count: reading one
    calls a method.

    ## Why is this bad?
    Nothing at the call shows that it communicates. The ranks of one arm wait in a collective somewhere below; the
    others never come, or meet them in a later one of the same kind, and the numbers are wrong.

    ## Example
    ```python
    def total_energy(comm, field):
        mine = (field**2).sum()
        return comm.allreduce(mine) / comm.allreduce(field.size)


    if comm.rank == 0:
        print(total_energy(comm, field))
    ```

    ## Use instead
    ```python
    energy = total_energy(comm, field)
    if comm.rank == 0:
        print(energy)
    ```

    ## How sure
    High when the test compares the rank of the same communicator, medium when the rank reaches it through other
    values. The functions are looked into up to six calls deep, with what is passed to them: communicators by
    parameter, by field and by constructor, constants that decide a branch there. Silent where a test in the function
    that is not known could skip the collective, where the function returns at once on these ranks, where the other arm
    can do the same, and for functions that are not known. Decorators of the project count with what they add; one that
    lets the root only run a function that communicates is reported itself. The call of a function that is nothing but
    one collective is reported as JM101.

    ## Known misses
    Collectives behind tests of flags that are not known; decorators of libraries; generators.

    ## How to silence
    `# jaxmpi-lint: ignore[JM105] reason` on the call.

    ## References
    MPI 4.1, section 6.1 (collective operations are called by all processes of the group). Runtime check: JS101.
    """

    code = "JM105"
    name = "root-only-call-to-collective-function"
    severity = Severity.ERROR
    remedy = "call it on every rank and guard only the local work (at run time: JS101)"

    VALID = (
        """
        from mpi4py import MPI

        def energy(comm, field):
            mine = comm.allreduce(field)
            return mine / comm.allreduce(1)

        def report(comm, field):
            value = energy(comm, field)
            if comm.rank == 0:
                print(value)
        """,
        """
        from mpi4py import MPI

        def share(comm, value):
            count = comm.bcast(value)
            return comm.bcast(count)

        def run(comm, value):
            if comm.rank == 0:
                return share(comm, value)
            return share(comm, None)
        """,
        """
        from mpi4py import MPI

        def save(comm, data, together=True):
            if together:
                comm.Barrier()
                comm.gather(data)
            print(data)

        def run(comm, data):
            if comm.rank == 0:
                save(comm, data, together=False)
        """,
        """
        from mpi4py import MPI

        def worker(comm):
            if comm.rank == 0:
                return
            comm.recv(source=0)
            comm.Barrier()
            comm.Barrier()

        def run(comm):
            if comm.rank == 0:
                worker(comm)
        """,
        """
        from mpi4py import MPI

        class Field:
            def __init__(self, comm):
                self.comm = comm

            def norm(self):
                self.comm.Barrier()
                return self.comm.allreduce(1)

        if MPI.COMM_WORLD.rank == 0:
            print(Field(MPI.COMM_SELF).norm())
        """,
        """
        from mpi4py import MPI

        class Rows:
            def __init__(self, comm):
                self.world = comm
                self.row = comm.Split(comm.rank // 2)

            def total(self, value):
                self.row.Barrier()
                return self.row.allreduce(value)

            def report(self, value):
                if self.world.rank < 2:
                    print(self.total(value))
        """,
        """
        from mpi4py import MPI

        def master(comm, tasks):
            count = comm.bcast(len(tasks))
            return comm.gather(count)

        def slave(comm):
            count = comm.bcast(None)
            return comm.gather(count)

        def run(comm, tasks):
            if comm.rank == 0:
                return master(comm, tasks)
            return slave(comm)
        """,
        """
        from functools import wraps
        from mpi4py import MPI

        comm = MPI.COMM_WORLD

        def root_only(function):
            @wraps(function)
            def wrapper(*args, **kwargs):
                result = None
                if comm.rank == 0:
                    result = function(*args, **kwargs)
                return comm.bcast(result)
            return wrapper

        @root_only
        def read(path):
            with open(path) as file:
                return file.read()

        def load(path):
            return read(path)
        """,
        """
        import threading
        from mpi4py import MPI

        def serve(comm):
            comm.Barrier()
            comm.allreduce(1)

        def run(comm):
            if comm.rank == 0:
                threading.Thread(target=serve, args=(comm,)).start()
            else:
                serve(comm)
        """,
        """
        from mpi4py import MPI

        def share(comm, verbose):
            if verbose:
                comm.Barrier()
                comm.allreduce(1)

        def run(comm, settings):
            if comm.rank == 0:
                share(comm, settings.verbose)
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        class Writer:
            def __init__(self, comm):
                self.comm = comm

            def save(self):
                self.comm.Barrier()

        class Quiet(Writer):
            def save(self):
                if self.comm.rank == 0:
                    super().save()  #! JM105
        """,
        """
        from functools import wraps
        from mpi4py import MPI

        comm = MPI.COMM_WORLD

        def root_only(function):
            @wraps(function)
            def wrapper(*args, **kwargs):
                if comm.rank == 0:
                    return function(*args, **kwargs)
            return wrapper

        @root_only  #! JM105
        def save(data):
            parts = comm.gather(data)
            print(parts)
        """,
        """
        from mpi4py import MPI

        def energy(comm, field):
            mine = comm.allreduce(field)
            return mine / comm.allreduce(1)

        def report(comm, field):
            if comm.rank == 0:
                print(energy(comm, field))  #! JM105
        """,
        """
        from mpi4py import MPI

        class Model:
            def __init__(self, comm):
                self.comm = comm
                self.rank = comm.Get_rank()

            def state(self):
                self.comm.Barrier()
                return self.comm.gather(self.rank)

            def save(self, path):
                if self.rank == 0:
                    print(path, self.state())  #! JM105
        """,
        """
        from mpi4py import MPI

        class Solver:
            def __init__(self, comm):
                self.comm = comm.Dup()

            def step(self):
                self.comm.Barrier()
                return self.comm.allreduce(1)

        def main():
            world = MPI.COMM_WORLD
            solver = Solver(world)
            if world.rank == 0:
                print("only here")
                solver.step()  #! JM105
        """,
        """
        from mpi4py import MPI

        class Simulation:
            def __init__(self, comm, mine):
                self.comm, self.mine = comm, mine

            @property
            def is_first(self):
                return self.comm.rank == 0

            @property
            def energy(self):
                return self.comm.allreduce(self.mine)

            def log(self):
                if self.is_first:
                    print("energy", self.energy)  #! JM105
        """,
        """
        from functools import cached_property
        from mpi4py import MPI

        class Random:
            def __init__(self, comm):
                self.comm = comm

            @cached_property
            def seed(self):
                return self.comm.bcast(7)

        comm = MPI.COMM_WORLD
        generator = Random(comm)
        if comm.rank == 1:
            start = generator.seed  #! JM105
        """,
        """
        from mpi4py import MPI

        def lowest(comm):
            comm.Barrier()
            comm.Barrier()

        def middle(comm, flag):
            if comm.size > 1:
                lowest(comm)

        def highest():
            comm = MPI.COMM_WORLD
            leader = comm.rank == 0
            if leader:
                middle(comm, True)  #! JM105
        """,
        """
        # file: program.py
        from mpi4py import MPI
        from tools import save

        comm = MPI.COMM_WORLD
        if comm.Get_rank() == 0:
            save(comm, [1, 2])  #! JM105
        # file: tools.py
        def save(comm, data, collective=True):
            if collective:
                comm.Barrier()
                comm.Barrier()
        """,
        """
        from mpi4py import MPI

        class Grid:
            def __init__(self, comm):
                self.comm = comm
                comm.Barrier()
                comm.Barrier()

        comm = MPI.COMM_WORLD
        if comm.rank == 0:
            grid = Grid(comm)  #! JM105
        """,
        """
        from mpi4py import MPI

        def worker(comm):
            if comm.rank == 0:
                return
            comm.Barrier()
            comm.allreduce(1)

        def run(comm):
            if comm.rank != 0:
                worker(comm)  #! JM105
        """,
    )

    def check_module(self, module: ModuleModel) -> Iterator[Finding]:
        """Calls, and decorators that let some ranks only run the function."""
        yield from super().check_module(module)
        for function in module.functions():
            if function.ir.decorators:
                yield from self._of_decorator(function)

    def _of_decorator(self, function: FunctionModel) -> Iterator[Finding]:
        span = function.project.decorators.decorator_span(function)
        for divergence in function.project.decorated_divergences(function)[:1] if span is not None else ():
            assert span is not None
            yield self.finding(
                function.module,
                span,
                f"{divergence_story.who(divergence)} the decorated function, which comes to {divergence.event.title}",
                steps=divergence_story.steps(divergence),
                remedy="decorate what communicates with nothing, and guard only the local work (at run time: JS101)",
                confidence=divergence_story.confidence(divergence),
                severity=divergence_story.severity(divergence, self.severity),
            )

    def message(self, divergence: Divergence) -> str:
        """Who calls the function, and what it comes to."""
        return f"{divergence_story.who(divergence)} this call, which comes to {divergence.event.title}"
