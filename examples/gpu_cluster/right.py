"""One process for each GPU of a cluster: every rank hides the other GPUs of its node before JAX starts.

Ranks that share memory are on one node; the rank among them, not the rank in the job, selects the GPU. Without GPUs the
choice has no effect, and the program runs all the same.

    srun --ntasks-per-node=4 --mpi=pmix python examples/gpu_cluster/right.py
    mpirun -n 4 python examples/gpu_cluster/right.py
"""

import os

from mpi4py import MPI

node = MPI.COMM_WORLD.Split_type(MPI.COMM_TYPE_SHARED)
os.environ["CUDA_VISIBLE_DEVICES"] = str(node.Get_rank())

import jax
import jax.numpy as jnp
import mpi4jax

SAMPLES_PER_RANK = 50_000

comm = MPI.COMM_WORLD.Clone()
rank = comm.Get_rank()
size = comm.Get_size()


def volume_of_ball(key: jax.Array, dimension: int) -> jax.Array:
    """A Monte Carlo estimate of the volume of the unit ball, from the points of all ranks."""
    points = jax.random.uniform(key, (SAMPLES_PER_RANK, dimension), minval=-1.0, maxval=1.0)
    inside = jnp.mean(jnp.sum(points**2, axis=1) < 1.0)
    return mpi4jax.allreduce(inside, op=MPI.SUM, comm=comm) / size * 2.0**dimension


def main() -> None:
    """Estimate, and print how many devices each process sees."""
    key = jax.random.fold_in(jax.random.key(2024), rank)
    volume = jax.jit(volume_of_ball, static_argnums=1)(key, 4)
    most = mpi4jax.allreduce(jnp.int32(jax.local_device_count()), op=MPI.MAX, comm=comm)
    if rank == 0:
        print(f"{size} ranks, at most {int(most)} device each: volume {float(volume):.2f}, exact 4.93")


if __name__ == "__main__":
    main()
