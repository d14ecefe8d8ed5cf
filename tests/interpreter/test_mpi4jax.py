"""Worlds of programs that use mpi4jax."""

from __future__ import annotations

import pytest

from interpreter.running import faults

HEADER = """\
import jax
import jax.numpy as jnp
import mpi4jax
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
x = jnp.ones(3)
"""
ROW = HEADER.count("\n") + 1

RIGHT = {
    "a reduction decides": (
        "total = mpi4jax.allreduce(rank, op=MPI.SUM, comm=comm)\nif total > 1:\n    mpi4jax.barrier(comm=comm)\n"
    ),
    "tokens": (
        "y, token = mpi4jax.allreduce(x, MPI.SUM, comm=comm)\ny, token = mpi4jax.bcast(y, 0, comm=comm, token=token)\n"
        "token = mpi4jax.barrier(token=token)\n"
    ),
    "a ring": "y = mpi4jax.sendrecv(x, x, (rank - 1) % size, (rank + 1) % size, comm=comm)\n",
    "a message": (
        "if rank == 0:\n    mpi4jax.send(x, 1, tag=3, comm=comm)\nelif rank == 1:\n"
        "    y = mpi4jax.recv(x, 0, tag=3, comm=comm)\n"
    ),
    "in compiled code": (
        "@jax.jit\ndef step(a):\n    return mpi4jax.allreduce(a, op=MPI.SUM, comm=comm)\n"
        "for i in range(3):\n    x = step(x)\n"
    ),
    "a loop of compiled code": (
        "def body(i, a):\n    return mpi4jax.allreduce(a, op=MPI.SUM, comm=comm)\n"
        "jax.jit(lambda a: jax.lax.fori_loop(0, 3, body, a))(x)\n"
    ),
    "a condition that all share": (
        "def go(a):\n    return mpi4jax.allreduce(a, op=MPI.SUM, comm=comm)\n"
        "jax.lax.cond(mpi4jax.allreduce(rank, op=MPI.SUM, comm=comm) > 0, go, lambda a: a, x)\n"
    ),
}

WRONG = {
    "one rank": ("if rank == 0:\n    mpi4jax.barrier(comm=comm)\n", ("parted", 1)),
    "one rank in compiled code": (
        "@jax.jit\ndef step(a):\n    if rank == 0:\n        a = mpi4jax.allreduce(a, op=MPI.SUM, comm=comm)\n"
        "    return a\nstep(x)\n",
        ("parted", 3),
    ),
    "a condition of each rank": (
        "def go(a):\n    return mpi4jax.allreduce(a, op=MPI.SUM, comm=comm)\n"
        "jax.lax.cond(rank > 0, go, lambda a: a, x)\n",
        ("parted", 1),
    ),
    "loops of different length": (
        "def body(i, a):\n    return mpi4jax.allreduce(a, op=MPI.SUM, comm=comm)\n"
        "jax.lax.fori_loop(0, rank + 1, body, x)\n",
        ("parted", 1),
    ),
    "the default communicator is another one": (
        "if rank == 0:\n    mpi4jax.barrier()\nelse:\n    mpi4jax.barrier(comm=comm)\n",
        ("crossed communicators", 1),
    ),
    "roots that differ": ("mpi4jax.bcast(x, rank, comm=comm)\n", ("root", 0)),
    "operations that differ": (
        "op = MPI.MAX if rank == 0 else MPI.MIN\nmpi4jax.allreduce(x, op, comm=comm)\n",
        ("operator", 1),
    ),
    "a message that nobody sends": (
        "if rank == 0:\n    mpi4jax.recv(x, 1, comm=comm)\n",
        ("unmatched receive", 1),
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_no_fault(name: str) -> None:
    assert faults(HEADER + RIGHT[name] + "print(x)\n", certainty=1) == set()


@pytest.mark.parametrize("name", WRONG)
def test_fault(name: str) -> None:
    text, (kind, row) = WRONG[name]
    assert faults(HEADER + text) == {(kind, ROW + row)}
