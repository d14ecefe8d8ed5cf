import jax
import jax.numpy as jnp
import mpi4jax
from mpi4py import MPI

comm = MPI.COMM_WORLD.Clone()
rank, size = comm.Get_rank(), comm.Get_size()


def global_norm(v):
    return jnp.sqrt(mpi4jax.allreduce(jnp.vdot(v, v), op=MPI.SUM, comm=comm))


@jax.jit
def smooth(v):
    return 0.5 * v + 0.25 * (jnp.roll(v, 1) + jnp.roll(v, -1))


def main():
    key = jax.random.PRNGKey(rank)
    v = jax.random.normal(key, (256,))
    for step in range(9):
        v = smooth(v)
        if step % 4 == 0:
            norm = global_norm(v)
            if rank == 0:
                print(f"step {step} norm {float(norm):.5f}")


if __name__ == "__main__":
    main()
