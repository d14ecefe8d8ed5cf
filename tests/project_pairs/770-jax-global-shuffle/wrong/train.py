import argparse
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from dataset import Digits
from feeder import Feeder
from sampler import GlobalShuffle


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--coordinator", default="localhost:12355")
    p.add_argument("--num-processes", type=int, default=1)
    p.add_argument("--process-id", type=int, default=0)
    p.add_argument("--local-batch", type=int, default=20)
    p.add_argument("--epochs", type=int, default=3)
    p.add_argument("--lr", type=float, default=0.1)
    p.add_argument("--seed", type=int, default=4)
    return p.parse_args()


@jax.jit
def add_statistics(stats, x, y):
    return {
        "count": stats["count"] + len(y),
        "sum": stats["sum"] + x.sum(axis=0),
        "square": stats["square"] + (x**2).sum(axis=0),
        "labels": stats["labels"] + jnp.bincount(y, length=Digits.n_classes),
    }


def dataset_statistics(feeder):
    n = Digits.n_features
    stats = feeder.replicate(
        {
            "count": np.int32(0),
            "sum": np.zeros(n, np.float32),
            "square": np.zeros(n, np.float32),
            "labels": np.zeros(Digits.n_classes, np.int32),
        }
    )
    for x, y in feeder.epoch(0):
        stats = add_statistics(stats, x, y)
    stats = jax.device_get(stats)
    mean = stats["sum"] / stats["count"]
    std = np.sqrt(stats["square"] / stats["count"] - mean**2)
    weights = stats["count"] / (Digits.n_classes * np.maximum(stats["labels"], 1))
    return mean, std, weights.astype(np.float32), stats["labels"]


def loss_fn(params, x, y, class_weights):
    logp = jax.nn.log_softmax(x @ params["w"] + params["b"])
    picked = jnp.take_along_axis(logp, y[:, None], axis=1)[:, 0]
    return -jnp.mean(class_weights[y] * picked)


@partial(jax.jit, donate_argnums=0)
def step(params, x, y, norm, lr):
    x = (x - norm["mean"]) / norm["std"]
    loss, grads = jax.value_and_grad(loss_fn)(params, x, y, norm["weights"])
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), loss


def main():
    args = parse_args()
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(args.coordinator, args.num_processes, args.process_id)
    main_process = jax.process_index() == 0

    data = Digits(args.seed)
    sampler = GlobalShuffle(len(data), jax.process_index(), jax.process_count(), args.seed)
    feeder = Feeder(data, sampler, args.local_batch)

    mean, std, weights, labels = dataset_statistics(feeder)
    if main_process:
        print("examples per class:", labels.tolist(), flush=True)
    norm = feeder.replicate({"mean": mean, "std": std, "weights": weights})

    params = feeder.replicate(
        {"w": np.zeros((data.n_features, data.n_classes), np.float32), "b": np.zeros(data.n_classes, np.float32)}
    )
    for epoch in range(1, args.epochs + 1):
        for x, y in feeder.epoch(epoch):
            params, loss = step(params, x, y, norm, args.lr)
        if main_process:
            print(f"epoch {epoch}  last loss {float(loss):.4f}", flush=True)


if __name__ == "__main__":
    main()
