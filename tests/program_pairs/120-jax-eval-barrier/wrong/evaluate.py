"""Streaming evaluation of a classifier; each process scores its share of the examples."""
import argparse
import os
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils


@dataclass
class Tally:
    seen: int = 0
    correct: int = 0

    def update(self, logits, labels):
        self.seen += len(labels)
        self.correct += int((np.asarray(logits).argmax(-1) == labels).sum())

    def as_array(self):
        return np.array([self.seen, self.correct], dtype=np.int32)


class Evaluator:
    def __init__(self, weights, features, labels, batch_size):
        self.weights = weights
        self.features = features
        self.labels = labels
        self.batch_size = batch_size
        self.forward = jax.jit(lambda w, x: x @ w)

    def local_batches(self, split):
        me, n = jax.process_index(), jax.process_count()
        mine = np.flatnonzero(np.arange(len(self.labels)) % 3 == split)[me::n]
        for s in range(0, len(mine), self.batch_size):
            idx = mine[s:s + self.batch_size]
            yield self.features[idx], self.labels[idx]

    def run(self, split):
        tally = Tally()
        for x, y in self.local_batches(split):
            tally.update(self.forward(self.weights, jnp.asarray(x)), y)
        multihost_utils.sync_global_devices(f"eval-split{split}-{tally.seen}")
        totals = multihost_utils.process_allgather(tally.as_array())
        return totals.reshape(-1, 2).sum(axis=0)


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--coordinator", default=os.environ.get("COORDINATOR"))
    p.add_argument("--num-processes", type=int, default=int(os.environ.get("NUM_PROCESSES", 1)))
    p.add_argument("--process-id", type=int, default=int(os.environ.get("PROCESS_ID", 0)))
    p.add_argument("--examples", type=int, default=1001)
    p.add_argument("--batch-size", type=int, default=64)
    return p.parse_args()


def main():
    args = parse_args()
    jax.distributed.initialize(args.coordinator, args.num_processes, args.process_id)
    rng = np.random.default_rng(12)
    labels = rng.integers(0, 5, args.examples)
    features = np.eye(5)[labels] + rng.normal(scale=0.6, size=(args.examples, 5))
    evaluator = Evaluator(jnp.eye(5), features.astype(np.float32), labels, args.batch_size)
    for split in range(3):
        seen, correct = evaluator.run(split)
        if jax.process_index() == 0:
            print(f"split {split}: {correct}/{seen} = {correct / seen:.4f}")


if __name__ == "__main__":
    main()
