"""Mini-batch k-means on points that are spread over the ranks."""

import jax
import jax.numpy as jnp
import mpi4jax
from mpi4py import MPI

K = 3
comm = MPI.COMM_WORLD.Clone()
rank = comm.Get_rank()


@jax.jit
def assign(points, centres):
    d2 = jnp.square(points[:, None, :] - centres[None, :, :]).sum(-1)
    hot = jax.nn.one_hot(jnp.argmin(d2, axis=1), K)
    return hot.T @ points, hot.sum(axis=0)[:, None]


points = jax.random.normal(jax.random.PRNGKey(rank), (300, 2)) + 2.0 * rank
if rank == 0:
    low = mpi4jax.allreduce(points.min(axis=0), op=MPI.MIN, comm=comm)
    centres = mpi4jax.bcast(low + points[:K], root=0, comm=comm)
else:
    centres = mpi4jax.bcast(jnp.zeros((K, 2)), root=0, comm=comm)
    low = mpi4jax.allreduce(points.min(axis=0), op=MPI.MIN, comm=comm)

for _ in range(10):
    sums, counts = assign(points, centres)
    sums = mpi4jax.allreduce(sums, op=MPI.SUM, comm=comm)
    counts = mpi4jax.allreduce(counts, op=MPI.SUM, comm=comm)
    centres = sums / jnp.maximum(counts, 1.0)

if rank == 0:
    print("lowest", low.round(4), "centres", jnp.sort(centres[:, 0]).round(4))
