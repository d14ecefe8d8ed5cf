"""A 3-D FFT that should skip the transposes if there is only one process, but tests the rank.

A single process has every axis locally and need not communicate. The test should be on the size; the test on the rank
is true for the first process of each row, which continues with a block of the wrong shape while its partners wait in
``alltoall``.

    mpirun -n 2 timeout 60 python examples/fft3d/wrong_one_process.py
"""

import jax
import jax.numpy as jnp
import mpi4jax
import numpy as np
from grid import after, before, columns, grid, rows, shape, whole_field
from mpi4py import MPI


def transpose(block: jax.Array, comm: MPI.Comm, cut: int, join: int) -> jax.Array:
    """Divide the block along one axis and make it local along the other."""
    if comm.Get_rank() == 0:
        return block
    pieces = jnp.stack(jnp.split(block, comm.Get_size(), axis=cut))
    pieces = mpi4jax.alltoall(pieces, comm=comm)  #! JM102
    return jnp.concatenate(list(pieces), axis=join)


def transform(block: jax.Array) -> jax.Array:
    """This rank's part of the transform, x local, from its part of the field, z local."""
    block = jnp.fft.fft(block, axis=2)
    block = transpose(block, columns, cut=2, join=1)
    block = jnp.fft.fft(block, axis=1)
    block = transpose(block, rows, cut=1, join=0)
    return jnp.fft.fft(block, axis=0)


def main() -> None:
    """Compare with the transform of the whole field by numpy."""
    field = whole_field()
    block = transform(before(field))
    expected = after(np.fft.fftn(field))
    error = mpi4jax.allreduce(jnp.abs(block - expected).max() / jnp.abs(expected).max(), op=MPI.MAX, comm=grid)
    if grid.Get_rank() == 0:
        print(f"{shape[0]} x {shape[1]} processes: relative error {float(error):.0e}, agrees: {float(error) < 1e-5}")


if __name__ == "__main__":
    main()
