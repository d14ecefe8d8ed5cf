"""Two chains for each temperature; both start from the state of the first."""

import jax
import jax.numpy as jnp
import mpi4jax
from mpi4py import MPI


SITES = 20_000


@jax.jit
def langevin(x, key, beta):
    noise = jax.random.normal(key, x.shape)
    return x - 0.05 * x + jnp.sqrt(0.1 / beta) * noise


def main():
    world = MPI.COMM_WORLD.Clone()
    rank = world.Get_rank()
    pair = MPI.COMM_WORLD.Split(rank // 2, rank)
    leader = rank - rank % 2
    beta = 1.0 + leader
    x = jnp.zeros(SITES)
    if rank == leader:
        x = jax.random.normal(jax.random.PRNGKey(leader), (SITES,)) / beta
    x = mpi4jax.bcast(x, root=leader, comm=world)
    key = jax.random.PRNGKey(1000 + rank)
    for k in range(25):
        x = langevin(x, jax.random.fold_in(key, k), beta)
    energies = mpi4jax.allgather(0.5 * jnp.vdot(x, x), comm=pair)
    mean = float(energies.mean())
    if rank == leader:
        print(f"beta {beta}: mean energy {mean:.5f}")


if __name__ == "__main__":
    main()
