"""Resumable optimisation of a data-parallel least-squares problem."""
import json
import logging
import os
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

log = logging.getLogger("resume")


class RunState:
    """State on node-local storage (one folder per process)."""

    def __init__(self, root):
        self.folder = Path(root) / f"node{jax.process_index()}"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.file = self.folder / "state.json"

    def load(self, dim):
        if self.file.exists():
            state = json.loads(self.file.read_text())
            start, w = state["step"], np.array(state["w"], np.float32)
        else:
            start, w = 0, np.zeros(dim, np.float32)
        return start, w

    def save(self, step, w):
        if jax.process_index() != 0:
            return
        host = np.asarray(w.addressable_data(0))
        self.file.write_text(json.dumps({"step": step, "w": host.tolist()}))


def make_problem(mesh, n=120, dim=6):
    rng = np.random.default_rng(5)
    a = rng.standard_normal((n, dim)).astype(np.float32)
    b = a @ np.arange(1, dim + 1, dtype=np.float32)
    rows = NamedSharding(mesh, P("rows"))
    lo, hi = (n * (jax.process_index() + i) // jax.process_count() for i in (0, 1))
    place = jax.make_array_from_process_local_data
    return place(rows, a[lo:hi]), place(rows, b[lo:hi]), dim


@jax.jit
def descend(w, a, b):
    residual = a @ w - b
    return w - 0.1 * a.T @ residual / a.shape[0], jnp.mean(residual ** 2)


def run(store, mesh, last):
    a, b, dim = make_problem(mesh)
    start, w = store.load(dim)
    w = jax.make_array_from_process_local_data(NamedSharding(mesh, P()), np.asarray(w))
    value = None
    for step in range(int(start), last):
        w, value = descend(w, a, b)
        jax.block_until_ready(w)
        if (step + 1) % 10 == 0:
            store.save(step + 1, w)
    return w, value


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    jax.distributed.initialize(os.environ["COORDINATOR"], int(os.environ["NUM_PROCESSES"]),
                               int(os.environ["PROCESS_ID"]))
    mesh = Mesh(np.array(jax.devices()), ("rows",))
    store = RunState("state")
    for last in (25, 60):
        w, value = run(store, mesh, last)
    multihost_utils.sync_global_devices("done")
    if jax.process_index() == 0:
        print(f"loss {float(value):.8f}", np.round(np.asarray(w.addressable_data(0)), 4))


if __name__ == "__main__":
    main()
