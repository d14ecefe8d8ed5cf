"""Data parallel logistic regression with mpi4jax."""
import jax
import jax.numpy as jnp
import mpi4jax
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD


def make_data(rank, n=128):
    rng = np.random.default_rng(rank)
    x = rng.normal(size=(n, 3)).astype(np.float32)
    y = (x @ np.array([2.0, -1.0, 0.5]) > 0).astype(np.float32)
    return jnp.asarray(x), jnp.asarray(y)


def local_loss(w, x, y):
    z = x @ w
    return jnp.mean(jnp.logaddexp(0.0, z) - y * z)


@jax.jit
def mean_over_ranks(v):
    return mpi4jax.allreduce(v, op=MPI.SUM, comm=comm) / comm.size


class Model:
    def __init__(self, lr):
        self.w = jnp.zeros(3)
        self.lr = lr
        self.grad = jax.jit(jax.grad(local_loss))

    def update(self, x, y):
        g = mean_over_ranks(self.grad(self.w, x, y))
        self.w = self.w - self.lr * g

    def evaluate(self, x, y):
        return float(mean_over_ranks(local_loss(self.w, x, y)))


def main(epochs=20):
    x, y = make_data(comm.rank)
    model = Model(lr=1.0)
    for epoch in range(epochs):
        model.update(x, y)
        if epoch % 5 == 4 and comm.rank == 0:
            loss = model.evaluate(x, y)
            print(f"epoch {epoch}: loss {loss:.4f}", flush=True)
    ws = comm.gather(np.asarray(model.w), root=0)
    if comm.rank == 0:
        assert all(np.array_equal(ws[0], w) for w in ws)


if __name__ == "__main__":
    main()
