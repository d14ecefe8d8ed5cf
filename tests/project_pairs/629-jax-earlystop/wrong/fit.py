"""Fit a small network to noisy data on several hosts, with early stopping.

Environment: COORDINATOR (host:port), WORLD_SIZE, RANK.
"""
import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec as P

from callbacks import EarlyStopping, History

MAX_EPOCHS = 200
STEPS_PER_EPOCH = 20
BATCH = 16
WIDTH = 64
LR = 0.05


def setup():
    jax.distributed.initialize(
        coordinator_address=os.environ["COORDINATOR"],
        num_processes=int(os.environ["WORLD_SIZE"]),
        process_id=int(os.environ["RANK"]),
    )
    return jax.make_mesh((jax.device_count(),), ("dp",))


def host_dataset(n_train, n_valid):
    """Every host draws its own part of the data."""
    rng = np.random.default_rng([17, jax.process_index()])

    def draw(n):
        x = rng.uniform(-2, 2, size=(n, 2)).astype(np.float32)
        y = np.sin(3 * x[:, 0]) * np.cos(2 * x[:, 1]) + 0.3 * rng.normal(size=n)
        return x, y.astype(np.float32)

    return draw(n_train), draw(n_valid), rng


def init(key):
    k1, k2, k3 = jax.random.split(key, 3)
    return {
        "w1": jax.random.normal(k1, (2, WIDTH)),
        "b1": jax.random.normal(k2, (WIDTH,)),
        "w2": jax.random.normal(k3, (WIDTH,)) / np.sqrt(WIDTH),
    }


def predict(params, x):
    return jnp.tanh(x @ params["w1"] + params["b1"]) @ params["w2"]


def mse(params, x, y):
    return jnp.mean((predict(params, x) - y) ** 2)


@jax.jit
def train_step(params, x, y):
    loss, grads = jax.value_and_grad(mse)(params, x, y)
    return jax.tree.map(lambda p, g: p - LR * g, params, grads), loss


class Validator:
    """Validation loss of the current parameters."""

    def __init__(self, x, y):
        self.x, self.y = x, y
        self._mse = jax.jit(mse)

    def __call__(self, params):
        local_params = jax.tree.map(lambda p: p.addressable_data(0), params)
        loss = self._mse(local_params, self.x, self.y)
        return float(loss)


def main():
    mesh = setup()
    (x_train, y_train), (x_valid, y_valid), rng = host_dataset(500, 60)
    replicated = NamedSharding(mesh, P())
    split = NamedSharding(mesh, P("dp"))

    params = jax.tree.map(np.asarray, init(jax.random.PRNGKey(3)))
    params = jax.device_put(params, replicated)
    validate = Validator(x_valid, y_valid)
    stopper = EarlyStopping(patience=3)
    history = History()

    for epoch in range(MAX_EPOCHS):
        losses = []
        for _ in range(STEPS_PER_EPOCH):
            idx = rng.choice(len(x_train), BATCH, replace=False)
            x = jax.make_array_from_process_local_data(split, x_train[idx])
            y = jax.make_array_from_process_local_data(split, y_train[idx])
            params, loss = train_step(params, x, y)
            losses.append(loss)
        train_loss = float(np.mean([float(v) for v in losses]))
        valid_loss = validate(params)
        history.add(epoch=epoch, train=train_loss, valid=valid_loss)
        if jax.process_index() == 0:
            print(history.format_last(), flush=True)
        if stopper.update(epoch, valid_loss):
            break

    if jax.process_index() == 0:
        print(f"stopped after epoch {epoch}, best {stopper.best:.5f} in epoch {stopper.best_epoch}")
        np.savez("best.npz", **{k: np.asarray(v) for k, v in params.items()})
    jax.distributed.shutdown()


if __name__ == "__main__":
    main()
