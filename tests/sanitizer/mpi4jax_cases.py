"""What programs with mpi4jax begin with."""

from __future__ import annotations

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
