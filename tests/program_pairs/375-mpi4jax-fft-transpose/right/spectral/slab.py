import jax.numpy as jnp
import mpi4jax


def transpose(slab, comm):
    """Transpose a square array that is distributed by rows."""
    rows, n = slab.shape
    blocks = slab.reshape(rows, comm.size, n // comm.size).swapaxes(0, 1)
    blocks = mpi4jax.alltoall(blocks, comm=comm)
    # blocks[s] holds the rows of rank s and the columns of this rank
    return jnp.concatenate(list(blocks), axis=0).T


def fft2(u, comm):
    hat = jnp.fft.fft(u, axis=1)
    return jnp.fft.fft(transpose(hat, comm), axis=1)


def ifft2(hat, comm):
    half = jnp.fft.ifft(hat, axis=1)
    return jnp.fft.ifft(transpose(half, comm), axis=1)
