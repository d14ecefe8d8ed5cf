"""JM402: a finaliser communicates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.model.call_graph import CallSites
from jaxmpi_lint.analysis.model.communication_events import on_the_wire
from jaxmpi_lint.analysis.participation.command_loops import RoleLoops
from jaxmpi_lint.analysis.participation.lazy_initialisation import later_calls_may_communicate
from jaxmpi_lint.analysis.uniformity.communicator_usage import (
    CommunicatorUse,
    CommunicatorUses,
    call_of,
    called_function,
)
from jaxmpi_lint.findings.diagnostics import Confidence, Severity
from jaxmpi_lint.library.model import Kind
from jaxmpi_lint.rules.base import Finding, Rule, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis import ir
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program


class CollectiveInDel(Rule):
    """Communication in `__del__`.

    ## What it does
    Finds collectives, messages and `Free()` or `Disconnect()` of communicators that run in a `__del__` method, also
    inside methods and functions that it calls.

    ## Why is this bad?
    Each process runs `__del__` when its own garbage collector gets to the object: at once where no reference is left,
    some time later where the object is part of a reference cycle, in any order at the end of the interpreter, never if
    an exception's traceback keeps it alive. Freeing a communicator is collective as well. Processes whose collectors
    run at different moments enter their collectives in different orders, and the program hangs now and then.

    ## Example
    ```python
    from mpi4py import MPI


    class Solver:
        def __init__(self, comm=MPI.COMM_WORLD):
            self.comm = comm.Dup()

        def __del__(self):
            self.comm.Free()
    ```

    ## Use instead
    ```python
    from mpi4py import MPI


    class Solver:
        def __init__(self, comm=MPI.COMM_WORLD):
            self.comm = comm.Dup()

        def __enter__(self):
            return self

        def __exit__(self, *exception):
            self.comm.Free()
    ```

    ## How sure
    Medium: as long as no object of the class is ever part of a cycle, CPython runs `__del__` at the same place of the
    program on all processes. Silent for `COMM_SELF` and what is made from it; for what a loop of one role in the same
    file takes for a command, because only who gives commands has such objects; and for functions that communicate once
    and are called elsewhere as well.

    ## Known misses
    Callbacks of `weakref.finalize`; windows and files that are freed; functions that are not known.

    ## How to silence
    `# jaxmpi-lint: ignore[JM402] reason`.

    ## References
    Python reference, data model, `object.__del__`. MPI 4.1, section 7.4.3: communicator destructors are collective.
    """

    code = "JM402"
    name = "collective-in-del"
    severity = Severity.WARNING

    VALID = (
        """
        from mpi4py import MPI


        class Solver:
            def __init__(self, comm):
                self.comm = comm.Dup()

            def close(self):
                self.comm.Free()

            def __exit__(self, *exception):
                self.close()
        """,
        """
        from mpi4py import MPI


        class Scratch:
            def __init__(self):
                self.comm = MPI.COMM_SELF.Dup()

            def __del__(self):
                self.comm.Free()
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI


        class Solver:
            def __init__(self, comm):
                self.comm = comm.Dup()

            def __del__(self):
                self.comm.Free()  #! JM402
        """,
        """
        from mpi4py import MPI


        def say_goodbye(comm):
            comm.send("done", dest=0)


        class Worker:
            def __init__(self):
                self.comm = MPI.COMM_WORLD

            def __del__(self):
                say_goodbye(self.comm)  #! JM402
        """,
    )

    def check(self, project: Program) -> Iterator[Finding]:
        """One finding for each `__del__`, at the first call in it that communicates."""
        uses = project.get(CommunicatorUses)
        for module in project.reported_modules():
            for function in module.functions():
                if function.ir.owner is not None and function.ir.qualname.rpartition(".")[2] == "__del__":
                    found = _first_use(function, uses)
                    if found is not None:
                        yield self._finding(function, *found)

    def _finding(self, function: Function, call: ir.Call, use: CommunicatorUse) -> Finding:
        frees = use.operation.kind is Kind.FREE
        what = f"`{use.operation.method}` of a communicator" if frees else f"`{use.operation.method}`"
        steps = [Step(function.module, function.ir.name_span, "runs when this process collects the object")]
        if use.span != call.span or use.module is not function.module:
            steps.append(Step(use.module, use.span, f"`{function.module.source(call.func.span)}` comes to {what}"))
        return self.finding(
            function.module,
            call.span,
            f"{what} in `__del__`: each process collects the object at a time of its own",
            steps=tuple(steps),
            remedy="do it in a method that the program calls, or in `__exit__`",
            confidence=Confidence.MEDIUM,
        )


def _first_use(function: Function, uses: CommunicatorUses) -> tuple[ir.Call, CommunicatorUse] | None:
    for _, step, env in function.steps():
        bound = call_of(function, step)
        for use in uses.of_call(function, bound, env) if bound is not None else ():
            ends = use.operation.kind is Kind.FREE
            if bound is None or use.communicator.is_self or not (ends or use.operation.communicates):
                continue
            if ends or not (_is_awaited(function, use) or _is_done_before(function, bound)):
                return bound.call, use
    return None


def _is_awaited(function: Function, use: CommunicatorUse) -> bool:
    """Whether a loop of one role takes it for a command: only who gives commands has such objects."""
    model = function.project.module(use.module.path)
    return model is not None and on_the_wire(use.operation) in model.project.get(RoleLoops).operations(model.ir.path)


def _is_done_before(function: Function, bound: BoundCall) -> bool:
    """Whether it comes from a function that communicates once, and that the program calls elsewhere as well."""
    called = called_function(bound)
    target = function.project.function(called.path, called.qualname) if called is not None else None
    if target is None or later_calls_may_communicate(target):
        return False
    return any(site.caller is not function for site in function.project.get(CallSites).of(target))
