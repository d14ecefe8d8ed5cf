"""A 3-D FFT of a field distributed over a grid of processes, written with the tokens of mpi4jax before 0.8.

Every operation took a token and returned a new one, to keep the order. Since 0.8 the order is kept without tokens,
``token=`` raises ``RuntimeError``, and the bare array is returned. The project requires the current mpi4jax.
``jaxmpi-lint --fix --select JM501`` turns this program into one that runs.

    mpirun -n 4 python examples/fft3d/wrong.py
"""

import jax
import jax.numpy as jnp
import mpi4jax
import numpy as np
from grid import after, before, columns, grid, rows, shape, whole_field
from mpi4py import MPI


def transpose(block, comm, cut, join, token):
    """Divide the block along one axis and make it local along the other."""
    pieces = jnp.stack(jnp.split(block, comm.Get_size(), axis=cut))
    pieces, token = mpi4jax.alltoall(pieces, comm=comm, token=token)  #! JM501
    return jnp.concatenate(list(pieces), axis=join), token


@jax.jit
def transform(block, token):
    """This rank's part of the transform, x local, from its part of the field, z local."""
    block = jnp.fft.fft(block, axis=2)
    block, token = transpose(block, columns, cut=2, join=1, token=token)
    block = jnp.fft.fft(block, axis=1)
    block, token = transpose(block, rows, cut=1, join=0, token=token)
    return jnp.fft.fft(block, axis=0), token


def main() -> None:
    """Compare with the transform of the whole field by numpy."""
    field = whole_field()
    block, token = transform(before(field), None)
    expected = after(np.fft.fftn(field))
    error = jnp.abs(block - expected).max() / jnp.abs(expected).max()
    error, token = mpi4jax.allreduce(error, op=MPI.MAX, comm=grid, token=token)  #! JM501
    if grid.Get_rank() == 0:
        print(f"{shape[0]} x {shape[1]} processes: relative error {float(error):.0e}, agrees: {float(error) < 1e-5}")


if __name__ == "__main__":
    main()
