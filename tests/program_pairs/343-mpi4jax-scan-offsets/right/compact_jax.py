"""Compaction: every process keeps its particles inside a region and puts them at their
place in one global array (JAX arrays, mpi4jax)."""
import argparse

import jax
import jax.numpy as jnp
import mpi4jax
import numpy as np
from mpi4py import MPI

jax.config.update("jax_enable_x64", True)

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()


def my_particles(n):
    key = jax.random.fold_in(jax.random.key(6), rank)
    return jax.random.uniform(key, (n, 2), minval=-1.0, maxval=1.0)


def inside(particles, radius):
    return jnp.sum(particles ** 2, axis=1) < radius ** 2


def place(particles, keep):
    """Global slots of the kept particles and the number of all kept particles."""
    count = jnp.sum(keep)
    upto = mpi4jax.scan(count, op=MPI.SUM, comm=comm)
    total = mpi4jax.allreduce(count, op=MPI.SUM, comm=comm)
    first = upto - count
    slots = first + jnp.cumsum(keep) - 1
    return jnp.where(keep, slots, -1), int(total)


def assemble(particles, slots, total):
    """The compacted array on every process; each contributes its slots."""
    drop = jnp.where(slots < 0, total, slots)
    mine = jnp.zeros((total, 2)).at[drop].set(particles, mode="drop")
    filled = jnp.zeros(total).at[drop].set(1.0, mode="drop")
    return (mpi4jax.allreduce(mine, op=MPI.SUM, comm=comm),
            mpi4jax.allreduce(filled, op=MPI.SUM, comm=comm))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--particles", type=int, default=500)
    parser.add_argument("--radius", type=float, default=0.7)
    args = parser.parse_args()
    particles = my_particles(args.particles)
    keep = inside(particles, args.radius)
    slots, total = place(particles, keep)
    compacted, filled = assemble(particles, slots, total)
    r = np.sqrt((np.asarray(compacted) ** 2).sum(axis=1))
    if rank == 0:
        print(f"{total} of {args.particles * size} particles kept")
        print(f"{int((np.asarray(filled) == 1).sum())} slots filled once, mean radius {r.mean():.4f}")


if __name__ == "__main__":
    main()
