import jax
import jax.numpy as jnp
import numpy as np
from mpi4py import MPI

from objective import Objective


def backtrack(obj, w, direction, f0, slope, t, shrink=0.5, c=1e-4, max_halvings=30):
    for _ in range(max_halvings):
        trial = w + t * direction
        if obj.value(trial) <= f0 + c * t * slope:
            return t
        t *= shrink
    return 0.0


def minimise(obj, w, iterations=10):
    history = []
    t_start = 400.0 / obj.lipschitz()
    for _ in range(iterations):
        g = obj.gradient(w)
        f0 = obj.value(w)
        history.append(float(f0))
        gnorm2 = float(jnp.vdot(g, g))
        if gnorm2 < 1e-6:
            break
        t = backtrack(obj, w, -g, f0, -gnorm2, t_start)
        if t == 0.0:
            break
        w = w - t * g
    return w, history


def local_data(rank, n=300, d=5):
    rng = np.random.default_rng(rank)
    x = rng.normal(size=(n, d)) * (1.0 + rank)
    y = x @ np.arange(1.0, d + 1) + rng.standard_t(2, size=n) * (1.0 + 2 * rank)
    return jnp.asarray(x), jnp.asarray(y)


def main():
    jax.config.update("jax_enable_x64", True)
    comm = MPI.COMM_WORLD
    x, y = local_data(comm.Get_rank())
    obj = Objective(comm, x, y)
    w, history = minimise(obj, jnp.zeros(x.shape[1]))
    weights = comm.gather(np.asarray(w), root=0)
    if comm.Get_rank() == 0:
        print(f"{len(history)} iterations, loss {history[0]:.3f} -> {history[-1]:.3f}")
        print("w", np.round(weights[0], 3), "spread", np.ptp(weights, axis=0).max())


if __name__ == "__main__":
    main()
