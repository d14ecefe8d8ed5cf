"""Exact statistics of a table in one pass, plus a check that every record
was visited once."""
import argparse

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

from pipeline import ShardedLoader


def table(n):
    rng = np.random.default_rng(12345)
    income = rng.lognormal(3.0, 0.7, size=n)
    age = rng.uniform(18, 90, size=n)
    return np.stack([np.arange(n), income, age], axis=1).astype(np.float32)


class Accumulator:
    def __init__(self, mesh, n):
        rep = NamedSharding(mesh, P())
        self.rows = NamedSharding(mesh, P("d"))
        self.state = jax.device_put(
            {"n": np.zeros((), np.float32),
             "sum": np.zeros(2, np.float32),
             "seen": np.zeros(n, np.int32)}, rep)

        def add(state, rec):
            idx = rec[:, 0].astype(jnp.int32)
            return {"n": state["n"] + rec.shape[0],
                    "sum": state["sum"] + rec[:, 1:].sum(axis=0),
                    "seen": state["seen"].at[idx].add(1)}

        self._add = jax.jit(add, out_shardings=rep)

    def add(self, local_records):
        rec = jax.make_array_from_process_local_data(self.rows, local_records)
        self.state = self._add(self.state, rec)

    def result(self):
        s = jax.tree_util.tree_map(np.asarray, self.state)
        return s["n"], s["sum"] / s["n"], s["seen"]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--coordinator")
    ap.add_argument("--num", type=int)
    ap.add_argument("--id", type=int)
    ap.add_argument("--records", type=int, default=512)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--seed", type=int, default=None)
    args = ap.parse_args()
    jax.distributed.initialize(args.coordinator, args.num, args.id)

    mesh = Mesh(np.array(jax.devices()), ("d",))
    data = table(args.records)
    loader = ShardedLoader(data, args.batch, args.seed)
    acc = Accumulator(mesh, args.records)
    for chunk in loader.epoch(0):
        acc.add(chunk)
    n, mean, seen = acc.result()
    if jax.process_index() == 0:
        print(f"records {int(n)}, mean income {mean[0]:.4f}, mean age {mean[1]:.3f}")
        print(f"never seen {int((seen == 0).sum())}, seen twice {int((seen > 1).sum())}")
        print("reference  ", np.round(data[:, 1:].mean(axis=0), 4))


if __name__ == "__main__":
    main()
