import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils as mhu

CONFIG = {
    "epochs": 500,
    "patience": 6,
    "min_delta": 1e-3,
    "lr": 0.4,
    "n_train": 300,
    "n_valid": 80,
}


class EarlyStopping:
    def __init__(self, patience, min_delta):
        self.patience, self.min_delta = patience, min_delta
        self.best = float("inf")
        self.bad = 0

    def update(self, value):
        if value < self.best - self.min_delta:
            self.best, self.bad = value, 0
        else:
            self.bad += 1
        return self.bad >= self.patience


def make_split(key, n):
    kx, kn = jax.random.split(key)
    x = jax.random.normal(kx, (n, 5))
    logits = x @ jnp.array([1.5, -1.0, 0.5, 0.0, 0.25])
    y = (logits + 0.5 * jax.random.normal(kn, (n,)) > 0).astype(jnp.float32)
    return x, y


def nll(w, x, y):
    z = x @ w
    return jnp.mean(jnp.logaddexp(0.0, z) - y * z)


grad_fn = jax.jit(jax.value_and_grad(nll))
valid_fn = jax.jit(nll)


def average(tree):
    """Mean over the processes of a pytree of host-local arrays."""
    return jax.tree.map(lambda a: np.asarray(a).mean(axis=0),
                        mhu.process_allgather(tree, tiled=False))


def fit(cfg):
    key = jax.random.fold_in(jax.random.key(7), jax.process_index())
    k_train, k_valid = jax.random.split(key)
    train = make_split(k_train, cfg["n_train"])
    valid = make_split(k_valid, cfg["n_valid"])
    stopper = EarlyStopping(cfg["patience"], cfg["min_delta"])
    w = np.zeros(5, np.float32)
    for epoch in range(cfg["epochs"]):
        loss, g = grad_fn(w, *train)
        loss, g = average((loss, g))
        w = w - cfg["lr"] * g
        val = float(valid_fn(w, *valid))
        if stopper.update(val):
            break
    return epoch, val, w


def main():
    jax.distributed.initialize(cluster_detection_method="mpi4py")
    epoch, val, w = fit(CONFIG)
    print(f"[{jax.process_index()}] stopped after epoch {epoch}: "
          f"loss {val:.4f}, |w| = {float(np.linalg.norm(w)):.4f}", flush=True)
    mhu.sync_global_devices("finished")


if __name__ == "__main__":
    main()
