"""1D1V Vlasov equation with a given field, split in x over the ranks (mpi4jax)."""
import jax

jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp
import mpi4jax
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()

NX, NV = 24 * size, 32
L, VMAX = 4 * np.pi, 4.0
DX, DV = L / NX, 2 * VMAX / NV
DT = 0.4 * DX / VMAX

left = (rank - 1) % size
right = (rank + 1) % size

v = jnp.linspace(-VMAX + DV / 2, VMAX - DV / 2, NV)


def shift_from(source, dest, column):
    """Send a column to dest and get the matching one from source."""
    return mpi4jax.sendrecv(column, column, source=source, dest=dest,
                            sendtag=rank, recvtag=source, comm=comm)


def upwind_x(f):
    from_left = shift_from(left, right, f[-1])
    from_right = shift_from(right, left, f[0])
    minus = jnp.vstack([from_left[None], f[:-1]])
    plus = jnp.vstack([f[1:], from_right[None]])
    return jnp.where(v > 0, v * (f - minus), v * (plus - f)) / DX


def upwind_v(f, e):
    minus = jnp.pad(f, ((0, 0), (1, 0)))[:, :-1]
    plus = jnp.pad(f, ((0, 0), (0, 1)))[:, 1:]
    a = e[:, None]
    return jnp.where(a > 0, a * (f - minus), a * (plus - f)) / DV


@jax.jit
def step(f, e):
    return f - DT * (upwind_x(f) + upwind_v(f, e))


def main(steps=40):
    x = (jnp.arange(NX // size) + rank * (NX // size) + 0.5) * DX
    f = (1 + 0.1 * jnp.cos(0.5 * x))[:, None] * jnp.exp(-0.5 * v**2)[None, :]
    e = 0.2 * jnp.sin(0.5 * x)
    before = comm.allreduce(float(f.sum()))
    for _ in range(steps):
        f = step(f, e)
    after = comm.allreduce(float(f.sum()))
    if rank == 0:
        print(f"mass {before:.6f} -> {after:.6f}")
        assert abs(before - after) < 1e-2 * before


main()
