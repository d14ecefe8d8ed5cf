"""The 3-D FFT for mpi4jax 0.7: one token is passed through every operation, in the order of the program.

In this version an operation returns its array and a new token, and the compiler may reorder two operations unless the
second one takes the token of the first. This folder is a separate project that requires mpi4jax before 0.8.

    mpirun -n 4 python examples/fft3d_old_tokens/right.py
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
    pieces, token = mpi4jax.alltoall(pieces, comm=comm, token=token)
    return jnp.concatenate(list(pieces), axis=join), token


@jax.jit
def transform(block):
    """This rank's part of the transform, x local, and a bound of all amplitudes: the sum of the field's magnitudes."""
    token = mpi4jax.barrier(comm=grid)
    bound, token = mpi4jax.allreduce(jnp.abs(block).sum(), op=MPI.SUM, comm=grid, token=token)
    block = jnp.fft.fft(block, axis=2)
    block, token = transpose(block, columns, cut=2, join=1, token=token)
    block = jnp.fft.fft(block, axis=1)
    block, token = transpose(block, rows, cut=1, join=0, token=token)
    return jnp.fft.fft(block, axis=0), bound


def main() -> None:
    """Compare with the transform of the whole field by numpy."""
    field = whole_field()
    block, bound = transform(before(field))
    error = float(jnp.abs(block - after(np.fft.fftn(field))).max() / bound)
    print(f"{shape[0]} x {shape[1]} processes: relative error {error:.0e}, agrees: {error < 1e-5}")


if __name__ == "__main__":
    main()
