"""Waves in a basin divided into blocks that advance by separate time steps.

The block with the bump takes smaller steps than the others: halos of different times are combined, the field is wrong.
If one block needs a step more than its neighbour to finish, it waits for an edge that is never sent.

    mpirun -n 4 timeout 60 python examples/shallow_water/wrong_time_step.py
"""

import jax
import jax.numpy as jnp
import mpi4jax
from mpi4py import MPI
from scheme import advance, alone, edge, largest_step, mirror, still_water_with_a_bump

POINTS, DURATION = 48, 12.0

size = MPI.COMM_WORLD.Get_size()
shape = MPI.Compute_dims(size, 2)
grid = MPI.COMM_WORLD.Create_cart(shape, periods=(False, False))
rank = grid.Get_rank()
neighbours = [grid.Shift(0, 1), grid.Shift(1, 1)]


def block(coordinates: list[int]) -> tuple[slice, slice]:
    """The cells of the block at these coordinates."""
    x, y = (slice(c * POINTS // n, (c + 1) * POINTS // n) for c, n in zip(coordinates, shape, strict=True))
    return x, y


def exchange(state: jax.Array) -> list[tuple[jax.Array, jax.Array]]:
    """The lines before and after the block along each axis: a neighbour's, or the wall's."""
    halo = []
    for axis, (low, high) in zip((1, 2), neighbours, strict=True):
        first, last = edge(state, axis, False), edge(state, axis, True)
        before = mpi4jax.sendrecv(last, first, source=low, dest=high, comm=grid)
        after = mpi4jax.sendrecv(first, last, source=high, dest=low, comm=grid)
        halo.append(
            (
                mirror(first, axis) if low == MPI.PROC_NULL else before,
                mirror(last, axis) if high == MPI.PROC_NULL else after,
            )
        )
    return halo


@jax.jit
def step_together(state: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The next state of this block, and the time step that it took."""
    step = largest_step(state)
    return advance(state, exchange(state), step), step


def main() -> None:
    """Run, gather the blocks on rank 0 and compare with a computation on one process."""
    state = still_water_with_a_bump(POINTS, *block(grid.Get_coords(rank)))
    elapsed = 0.0
    while elapsed < DURATION:  #! JM311
        state, step = step_together(state)
        elapsed += float(step)

    blocks = mpi4jax.gather(state, root=0, comm=grid)
    if rank == 0:
        field = jnp.zeros((3, POINTS, POINTS))
        for owner in range(size):
            field = field.at[:, *block(grid.Get_coords(owner))].set(blocks[owner])
        difference = float(jnp.abs(field - alone(POINTS, DURATION)).max())
        print(
            f"{shape[0]} x {shape[1]} blocks: water {float(field[0].sum()):.2f}, difference {difference:.0e}, "
            f"agrees: {difference < 1e-5}"
        )


if __name__ == "__main__":
    main()
