"""Evaluate a linear probe on several hosts and write one report."""
import argparse
import json

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--coordinator", default="127.0.0.1:12355")
    p.add_argument("--num-processes", type=int, default=2)
    p.add_argument("--process-id", type=int, required=True)
    p.add_argument("--report", default="report.json")
    return p.parse_args()


def host_shard(index, count, n=4096, dim=16, classes=5):
    rng = np.random.default_rng(2)
    x = rng.standard_normal((n, dim)).astype(np.float32)
    w = rng.standard_normal((dim, classes)).astype(np.float32)
    y = np.argmax(x @ w + rng.gumbel(size=(n, classes)), axis=1)
    return x[index::count], y[index::count], w


@jax.jit
def metrics(w, x, y):
    logits = x @ w
    logp = jax.nn.log_softmax(logits)
    nll = -jnp.take_along_axis(logp, y[:, None], axis=1).sum()
    hits = (jnp.argmax(logits, axis=1) == y).sum()
    return jnp.stack([nll, hits.astype(jnp.float32), jnp.float32(len(y))])


def evaluate(w, x, y, batch=256):
    total = jnp.zeros(3)
    for start in range(0, len(y) - batch + 1, batch):
        total = total + metrics(w, x[start:start + batch], y[start:start + batch])
    return total


def write_report(path, per_host):
    nll, hits, count = np.asarray(per_host).sum(axis=0)
    report = {
        "examples": int(count),
        "nll": float(nll / count),
        "accuracy": float(hits / count),
        "hosts": len(per_host),
    }
    with open(path, "w") as f:
        json.dump(report, f, indent=2)
    print(report)


def main():
    args = parse_args()
    jax.distributed.initialize(args.coordinator, args.num_processes, args.process_id)
    index, count = jax.process_index(), jax.process_count()

    x, y, w = host_shard(index, count)
    local = evaluate(w, x, y)

    if index == 0:
        per_host = multihost_utils.process_allgather(local)
        write_report(args.report, per_host)

    multihost_utils.sync_global_devices("report written")
    jax.distributed.shutdown()


if __name__ == "__main__":
    main()
