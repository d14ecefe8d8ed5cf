"""What programs with mpi4jax begin with, and how many ranks they run on."""

from __future__ import annotations

from .cases import Alone, Clean, Fault

PREAMBLE = """\
import functools, os, sys, time
import numpy as np
import jax, jax.numpy as jnp
import mpi4jax
from mpi4py import MPI
comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
left, right = (rank - 1) % size, (rank + 1) % size
ones = jnp.ones(4)

def slowly(x):  # the same numbers, a while later
    busy = jax.lax.fori_loop(0, 400, lambda _, m: jnp.tanh(m @ m), jnp.full((300, 300), x.sum() / x.size))
    return x + 0 * busy[0, 0]

"""


def fault(name: str, body: str, alone: Alone, **more: object) -> Fault:
    """A wrong program."""
    return Fault(name, body, alone, preamble=PREAMBLE, **{"ranks": (2,), **more})  # type: ignore[arg-type]


def clean(name: str, body: str, **more: object) -> Clean:
    """A correct program."""
    return Clean(name, body, preamble=PREAMBLE, **{"ranks": (2,), **more})  # type: ignore[arg-type]
