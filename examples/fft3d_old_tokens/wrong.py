"""The 3-D FFT for mpi4jax 0.7 with two operations outside the chain of tokens.

The second transpose starts without a token and the last reduction takes one that was used before. Nothing orders them
after the operation that precedes them in the program, so the compiler may place them differently on each rank: the
ranks meet in different operations, and hang or exchange the wrong blocks. It often goes well.

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
    """This rank's part of the transform, x whole, and the largest amplitude anywhere."""
    token = jax.lax.create_token()
    block = jnp.fft.fft(block, axis=2)
    pieces = jnp.stack(jnp.split(block, shape[1], axis=2))
    pieces, token = mpi4jax.alltoall(pieces, comm=columns, token=token)
    block = jnp.fft.fft(jnp.concatenate(list(pieces), axis=1), axis=1)
    pieces = jnp.stack(jnp.split(block, shape[0], axis=1))
    pieces, _ = mpi4jax.alltoall(pieces, comm=rows)  #! JM502
    block = jnp.fft.fft(jnp.concatenate(list(pieces), axis=0), axis=0)
    largest, _ = mpi4jax.allreduce(jnp.abs(block).max(), op=MPI.MAX, comm=grid, token=token)  #! JM502
    return block, largest


def main() -> None:
    """Compare with the transform of the whole field by numpy."""
    field = whole_field()
    block, largest = transform(before(field))
    error = float(jnp.abs(block - after(np.fft.fftn(field))).max() / largest)
    print(f"{shape[0]} x {shape[1]} processes: relative error {error:.0e}, agrees: {error < 1e-5}")


if __name__ == "__main__":
    main()
