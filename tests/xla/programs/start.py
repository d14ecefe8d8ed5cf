"""Under mpirun: `initialize()` as Open MPI 5 makes it fail, then JAX as many programs of one process, then mpi4py."""

import sys

import jax

from jaxmpi_lint.runtime.xla.checks import launcher


def ask(when):
    launcher.Asking(lambda finding: print(f"{when}: {finding.severity}: {finding.message}")).watch(jax)
    assert (jax.process_index(), jax.process_count()) == (0, 1)


launcher.explain(jax._src.distributed)
try:
    jax.distributed.initialize()
    sys.exit(print("initialised"))
except ValueError as error:
    print("\n".join(["error:", str(error), *getattr(error, "__notes__", [])]))
ask("alone")
from mpi4py import MPI  # noqa: E402

MPI.COMM_WORLD.Barrier()
ask("with mpi4py")
