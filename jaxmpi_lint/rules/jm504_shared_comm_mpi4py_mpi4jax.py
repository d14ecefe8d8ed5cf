"""JM504: mpi4py and mpi4jax on one communicator."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.uniformity.communicator_usage import CommunicatorUses
from jaxmpi_lint.checks.mpi4jax.shared_communicators import Race, SharedCommunicators, clone_edits
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import Example, Finding, Repair, Rule, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Module, Program


class SharedCommMpi4pyMpi4jax(Rule):
    """Communicator shared by mpi4py and mpi4jax.

    ## What it does
    Finds a communicator that is handed to mpi4jax and on which mpi4py communicates afterwards, where nothing in between
    waits for JAX. One finding for each communicator, at the operation of mpi4jax.

    ## Why is this bad?
    JAX runs asynchronously: a call of a compiled function returns before its operations have reached MPI, and nobody
    knows whether the message of mpi4py, written later, goes first. On one communicator the two are matched in the
    order of their arrival. Seen with Open MPI and MPICH: a receive of mpi4jax got the data that was meant for mpi4py
    and the reverse, exit code 0; `Allreduce` next to `mpi4jax.allreduce` gave the same wrong sum for both.

    ## Example
    ```python
    import mpi4jax
    from mpi4py import MPI

    comm = MPI.COMM_WORLD


    def exchange(x, host, other):
        mpi4jax.send(x, dest=other, comm=comm)
        comm.Send(host, dest=other)
    ```

    ## Use instead
    ```python
    import mpi4jax
    from mpi4py import MPI

    comm = MPI.COMM_WORLD
    arrays = comm.Clone()


    def exchange(x, host, other):
        mpi4jax.send(x, dest=other, comm=arrays)
        comm.Send(host, dest=other)
    ```

    ## Fix safety
    The fix makes a clone for mpi4jax where the communicator is a global name of the file. It is unsafe, because other
    files and processes have to do the same.

    ## How sure
    High for the hazard; whether it strikes is a matter of timing. Silent where the values of arrays are needed in
    between (`block_until_ready`, `jax.effects_barrier()`, `float(...)`, `np.asarray(...)`, `print`), for rank and size,
    for pickled reductions and scans of mpi4py (they use a private duplicate), for mpi4jax's default communicator, which
    is a clone, and for duplicates made by `Dup` or `Clone`.

    ## Known misses
    Uses in two functions that no function of the project calls both.

    ## How to silence
    Give one library a clone, or `# jaxmpi-lint: ignore[JM504] reason`.

    ## References
    MPI 4.1, section 7.1.2: communication contexts. mpi4jax 0.9, page on sharp bits: using mpi4py next to mpi4jax.
    """

    code = "JM504"
    name = "shared-comm-mpi4py-mpi4jax"
    severity = Severity.WARNING
    sanitizer = ("JS402",)
    fix = Applicability.UNSAFE

    VALID = (
        """import mpi4jax
from mpi4py import MPI

comm = MPI.COMM_WORLD
arrays = comm.Clone()


def exchange(x, host):
    mpi4jax.send(x, dest=1, comm=arrays)
    comm.Send(host, dest=1)
""",
        """import mpi4jax
from mpi4py import MPI

comm = MPI.COMM_WORLD


def total(x):
    x = mpi4jax.allreduce(x, op=MPI.SUM, comm=comm)
    return x / comm.Get_size(), comm.rank
""",
    )
    INVALID = (
        Example(
            """import mpi4jax
from mpi4py import MPI

comm = MPI.COMM_WORLD


def exchange(x, host):
    mpi4jax.send(x, dest=1, comm=comm)  #! JM504
    comm.Send(host, dest=1)
""",
            """import mpi4jax
from mpi4py import MPI

comm = MPI.COMM_WORLD
comm_mpi4jax = comm.Clone()


def exchange(x, host):
    mpi4jax.send(x, dest=1, comm=comm_mpi4jax)
    comm.Send(host, dest=1)
""",
        ),
        """import jax
import mpi4jax
from mpi4py import MPI

comm = MPI.COMM_WORLD


@jax.jit
def total(x):
    return mpi4jax.allreduce(x, op=MPI.SUM, comm=comm)  #! JM504


def main(x):
    x = total(x)
    comm.Barrier()
    return x
""",
    )

    def check(self, project: Program) -> Iterator[Finding]:
        """One finding for each communicator of a file, at its first operation of mpi4jax."""
        if not project.mentions(("mpi4jax",)):
            return
        uses = CommunicatorUses()
        first: dict[tuple[str, str], Race] = {}
        for module in project.modules():
            for function in module.functions():
                for race in SharedCommunicators(function, uses).races():
                    key = (race.arrays.module.path, race.arrays.communicator.context)
                    if key not in first or race.arrays.span < first[key].arrays.span:
                        first[key] = race
        reported = {model.ir.path for model in project.reported_modules()}
        for (path, _), race in sorted(first.items(), key=lambda item: item[0]):
            model = project.module(path)
            if path in reported and model is not None:
                yield self._finding(model, race)

    def _finding(self, model: Module, race: Race) -> Finding:
        arrays, objects = race.arrays, race.objects
        label = arrays.communicator.label
        method = objects.operation.method
        edits = _edits(model, race)
        return self.finding(
            arrays.module,
            arrays.span,
            f"`mpi4jax.{arrays.operation.method}` and mpi4py's `{method}` share {label}: nobody knows which goes first",
            steps=(
                Step(arrays.module, arrays.span, "runs when JAX gets to it"),
                Step(objects.module, objects.span, "runs at once, on the same communicator"),
            ),
            remedy="give mpi4jax a communicator of its own: `comm.Clone()`, freed behind `jax.effects_barrier()`",
            repair=Repair(Applicability.UNSAFE, "make a clone for mpi4jax", edits) if edits else None,
        )


def _edits(model: Module, race: Race) -> tuple[tuple[ir.Span, str], ...]:
    calls: dict[ir.Span, ir.Call] = {}
    names: set[str | None] = set()
    for function in model.functions():
        for bound in function.calls():
            if bound.operation is None or bound.operation.library != "mpi4jax" or bound.communicator is None:
                continue
            if bound.communicator.context == race.arrays.communicator.context:
                calls[bound.call.span] = bound.call
                argument = bound.argument("comm")
                names.add(ir.dotted(argument) if argument is not None else None)
    name = next(iter(names)) if len(names) == 1 else None
    return clone_edits(model.ir, list(calls.values()), name) if name is not None else ()
