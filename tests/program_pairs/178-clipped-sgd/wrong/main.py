"""Robust regression with globally clipped gradients (mpi4jax)."""
import jax
import jax.numpy as jnp
import mpi4jax
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()

N_PER_RANK = 64
FEATURES = 12
CLIP = 2.0


def make_shard():
    key = jax.random.PRNGKey(100)
    true_w = jax.random.normal(key, (FEATURES,))
    k1, k2, k3 = jax.random.split(jax.random.fold_in(key, rank), 3)
    x = jax.random.normal(k1, (N_PER_RANK, FEATURES))
    noise = 0.1 * jax.random.normal(k2, (N_PER_RANK,))
    outliers = jnp.where(jax.random.uniform(k3, (N_PER_RANK,)) < 0.05 * rank, 40.0, 0.0)
    return x, x @ true_w + noise + outliers, true_w


def loss_fn(w, x, y):
    r = x @ w - y
    return jnp.mean(jnp.where(jnp.abs(r) < 5.0, 0.5 * r * r, 5.0 * jnp.abs(r) - 12.5))


def clip(grad):
    """Scale the local gradient so that the joint norm over all ranks is at most CLIP."""
    local_sq = jnp.sum(grad**2)

    def scaled(g):
        norm = jnp.sqrt(mpi4jax.allreduce(local_sq, op=MPI.SUM, comm=comm) / size)
        return g * jnp.minimum(1.0, CLIP / norm)

    return jax.lax.cond(jnp.sqrt(local_sq) > CLIP, scaled, lambda g: g, grad)


@jax.jit
def update(w, velocity, x, y):
    loss, grad = jax.value_and_grad(loss_fn)(w, x, y)
    grad = mpi4jax.allreduce(clip(grad), op=MPI.SUM, comm=comm) / size
    loss = mpi4jax.allreduce(loss, op=MPI.SUM, comm=comm) / size
    velocity = 0.8 * velocity - 0.05 * grad
    return w + velocity, velocity, loss


def main(steps=150):
    x, y, true_w = make_shard()
    w = jnp.zeros(FEATURES)
    velocity = jnp.zeros(FEATURES)
    for step in range(steps):
        w, velocity, loss = update(w, velocity, x, y)
        if step % 50 == 0 and rank == 0:
            print(f"step {step:4d}  loss {float(loss):.5f}", flush=True)
    spread = comm.allreduce(float(w.sum()), op=MPI.MAX) - comm.allreduce(float(w.sum()), op=MPI.MIN)
    if rank == 0:
        print(f"final loss {float(loss):.5f}, error {float(jnp.linalg.norm(w - true_w)):.4f}, spread {spread:.1e}")


if __name__ == "__main__":
    main()
