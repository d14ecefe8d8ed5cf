"""A 3-D FFT of a field distributed over a grid of processes, transposed by ``alltoall`` over its rows and columns.

z is transformed where it is local. An exchange inside the column of processes makes y local, one inside the row makes x
local. Operations of mpi4jax keep the order of the program automatically, so no token is passed.

    mpirun -n 4 python examples/fft3d/right.py
"""

import jax
import jax.numpy as jnp
import mpi4jax
import numpy as np
from grid import after, before, columns, grid, rows, shape, whole_field
from mpi4py import MPI


def transpose(block: jax.Array, comm: MPI.Comm, cut: int, join: int) -> jax.Array:
    """Divide the block along one axis and make it local along the other."""
    pieces = jnp.stack(jnp.split(block, comm.Get_size(), axis=cut))
    pieces = mpi4jax.alltoall(pieces, comm=comm)
    return jnp.concatenate(list(pieces), axis=join)


@jax.jit
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
