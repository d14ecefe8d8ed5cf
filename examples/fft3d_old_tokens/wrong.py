"""The 3-D FFT for mpi4jax 0.7 with two operations outside the chain of tokens.

The first transpose takes the token that was passed to the barrier before it, and the last reduction takes none and does
not depend on the transposes. Neither is ordered after the operation that precedes it in the program, so the compiler
may place them differently on each rank: the ranks then execute different operations, and hang or exchange the wrong
blocks. It often works by luck.

    mpirun -n 4 timeout 60 python examples/fft3d_old_tokens/wrong.py
"""

import jax
import jax.numpy as jnp
import mpi4jax
import numpy as np
from grid import after, before, columns, grid, rows, shape, whole_field
from mpi4py import MPI


@jax.jit
def transform(block):
    """This rank's part of the transform, x local, and a bound of all amplitudes: the sum of the field's magnitudes."""
    token = jax.lax.create_token()
    magnitudes = jnp.abs(block).sum()
    mpi4jax.barrier(comm=grid, token=token)
    block = jnp.fft.fft(block, axis=2)
    pieces = jnp.stack(jnp.split(block, shape[1], axis=2))
    pieces, token = mpi4jax.alltoall(pieces, comm=columns, token=token)  #! JM502
    block = jnp.fft.fft(jnp.concatenate(list(pieces), axis=1), axis=1)
    pieces = jnp.stack(jnp.split(block, shape[0], axis=1))
    pieces, token = mpi4jax.alltoall(pieces, comm=rows, token=token)
    block = jnp.fft.fft(jnp.concatenate(list(pieces), axis=0), axis=0)
    bound, _ = mpi4jax.allreduce(magnitudes, op=MPI.SUM, comm=grid)  #! JM502
    return block, bound


def main() -> None:
    """Compare with the transform of the whole field by numpy."""
    field = whole_field()
    block, bound = transform(before(field))
    error = float(jnp.abs(block - after(np.fft.fftn(field))).max() / bound)
    print(f"{shape[0]} x {shape[1]} processes: relative error {error:.0e}, agrees: {error < 1e-5}")


if __name__ == "__main__":
    main()
