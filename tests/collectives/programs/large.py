"""More elements than an `int` counts: moved by the large-count functions, refused where the library has none."""

from __future__ import annotations

from collections.abc import Callable

import checking
import jax
import jax.numpy as jnp
from mpi4py import MPI

import jaxmpi_lint.runtime.collectives as core

jax.config.update("jax_enable_x64", True)
COUNT = (1 << 31) + 16


def moved_or_refused(operation: Callable[[jax.Array], jax.Array]) -> None:
    try:
        result = operation(jnp.ones(COUNT, jnp.int8).at[-1].set(5)).reshape(-1)
    except jax.errors.JaxRuntimeError as error:
        assert "at most 2147483647 elements" in str(error)
        assert MPI.Get_library_version().startswith("Open MPI v5.0")
    else:
        assert (result.shape, int(result[-1]), int(result[COUNT - 2])) == ((COUNT,), 5, 1)


def check_collective() -> None:
    moved_or_refused(core.allgather)
    moved_or_refused(lambda x: core.allreduce(x, MPI.SUM))


def check_message() -> None:
    moved_or_refused(lambda x: core.sendrecv(x, x, 0, 0))


checking.run(globals())
