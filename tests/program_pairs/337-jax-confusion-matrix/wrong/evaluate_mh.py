"""Train a small classifier on several processes and print its confusion matrix."""
import argparse

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

CLASSES, FEATURES = 3, 5


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--id", type=int, default=0)
    parser.add_argument("--n", type=int, default=1)
    parser.add_argument("--port", type=int, default=12821)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--per-process", type=int, default=200)
    return parser.parse_args()


def local_samples(process, n, seed):
    rng = np.random.default_rng([seed, process])
    labels = rng.integers(CLASSES, size=n)
    centres = 2.0 * np.eye(CLASSES, FEATURES)
    x = centres[labels] + rng.normal(size=(n, FEATURES))
    return x.astype(np.float32), labels.astype(np.int32)


def loss_fn(w, x, y):
    logp = jax.nn.log_softmax(x @ w)
    return -jnp.take_along_axis(logp, y[:, None], axis=1).mean()


@jax.jit
def train_step(w, x, y):
    loss, grad = jax.value_and_grad(loss_fn)(w, x, y)
    return w - 0.5 * grad, loss


@jax.jit
def predict(w, x):
    return jnp.argmax(x @ w, axis=1)


def confusion(labels, predictions):
    table = np.zeros((CLASSES, CLASSES), int)
    np.add.at(table, (labels, predictions), 1)
    return table


def main():
    args = parse()
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(f"localhost:{args.port}", args.n, args.id)
    mesh = Mesh(np.array(jax.devices()), ("batch",))
    rows = NamedSharding(mesh, P("batch"))
    everywhere = NamedSharding(mesh, P())

    def place(seed):
        x, y = local_samples(jax.process_index(), args.per_process, seed)
        return (jax.make_array_from_process_local_data(rows, x),
                jax.make_array_from_process_local_data(rows, y))

    x, y = place(seed=1)
    w = jax.device_put(np.zeros((FEATURES, CLASSES), np.float32), everywhere)
    for _ in range(args.steps):
        w, loss = train_step(w, x, y)

    x_test, y_test = place(seed=2)
    predictions = predict(w, x_test)
    if jax.process_index() == 0:
        table = confusion(np.asarray(y_test), np.asarray(predictions))
        print(f"training loss {float(loss):.4f}")
        print(table)
        print(f"accuracy {np.trace(table) / table.sum():.4f}")
    multihost_utils.sync_global_devices("evaluated")


if __name__ == "__main__":
    main()
