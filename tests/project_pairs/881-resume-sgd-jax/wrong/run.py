"""Start with: mpirun -n 2 python run.py  (FIT_SEED counts on the first process only)"""
import os
from pathlib import Path

from fit.cluster import Cluster

import jax
import numpy as np

from fit.checkpoint import CheckpointStore
from fit.data import Sampler
from fit.model import Perceptron
from fit.trainer import Trainer


def main():
    cluster = Cluster()
    model = Perceptron([3, 16, 1])
    seed = int(cluster.from_chief(np.int32(os.environ.get("FIT_SEED", 5))))
    sampler = Sampler(cluster, rows=128, ndim=3, seed=seed)
    store = CheckpointStore(cluster, Path(__file__).with_name("scratch"))

    first = Trainer(cluster, model, sampler, store)
    cluster.say(f"from step {first.step}: loss {first.train(until=60):.6f}")

    second = Trainer(cluster, model, sampler, store)
    cluster.say(f"from step {second.step}: loss {second.train(until=150):.6f}")

    straight = Trainer(cluster, model, sampler)
    cluster.say(f"in one go: loss {straight.train(until=150):.6f}")
    gaps = jax.tree.map(lambda a, b: float(np.abs(np.asarray(a) - np.asarray(b)).max()),
                        second.params, straight.params)
    cluster.say(f"largest difference of the parameters {max(jax.tree.leaves(gaps)):.2e}")
    store.discard()
    cluster.close()


if __name__ == "__main__":
    main()
