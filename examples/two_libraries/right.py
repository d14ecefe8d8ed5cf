"""A vibrating string: rank 0 integrates it and sends the state with mpi4jax and its forcing with mpi4py.

JAX runs asynchronously, so the order in which the two libraries call MPI is unspecified. Each library has a separate
communicator; messages on different communicators never match. The clone is freed when JAX no longer uses it.

    mpirun -n 4 python examples/two_libraries/right.py
"""

import jax
import jax.numpy as jnp
import mpi4jax
import numpy as np
from mpi4py import MPI

POINTS, STEPS = 256, 20_000

world = MPI.COMM_WORLD
arrays = world.Clone()
rank = world.Get_rank()
size = world.Get_size()


def acceleration(displacement: jax.Array, forcing: jax.Array) -> jax.Array:
    """Tension pulls every point towards the mean of its neighbours."""
    return jnp.roll(displacement, 1) - 2.0 * displacement + jnp.roll(displacement, -1) + forcing


@jax.jit
def integrate(displacement: jax.Array, forcing: jax.Array) -> jax.Array:
    """Damped motion until the string is at rest, sent to all other ranks."""

    def step(_: int, state: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        position, velocity = state
        velocity = 0.98 * (velocity + 0.2 * acceleration(position, forcing))
        return position + 0.2 * velocity, velocity

    position, _ = jax.lax.fori_loop(0, STEPS, step, (displacement, jnp.zeros_like(displacement)))
    for other in range(1, size):
        mpi4jax.send(position, dest=other, comm=arrays)
    return position


def main() -> None:
    """Every other rank checks that the received state is at rest under the received forcing."""
    wave = np.sin(2.0 * np.pi * np.arange(POINTS, dtype=np.float32) / POINTS).astype(np.float32)
    forcing = 1e-2 * wave - 1e-2 * wave.mean()
    if rank == 0:
        position = integrate(jnp.zeros(POINTS, jnp.float32), forcing)
        for other in range(1, size):
            world.Send(forcing, dest=other)
    else:
        position = mpi4jax.recv(jnp.zeros(POINTS, jnp.float32), source=0, comm=arrays)
        forcing = np.empty(POINTS, np.float32)
        world.Recv(forcing, source=0)
    residual = world.allreduce(float(jnp.abs(acceleration(position, forcing)).max()), op=MPI.MAX)
    if rank == 0:
        print(f"{size} ranks, largest residual: {residual:.1e}, at rest: {residual < 1e-3}")
    jax.effects_barrier()
    arrays.Free()


if __name__ == "__main__":
    main()
