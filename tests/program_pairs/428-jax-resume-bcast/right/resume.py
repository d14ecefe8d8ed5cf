"""Preemptible training job. State is kept on the local disk of host 0."""
import argparse
import contextlib
import os
import pickle

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P


@contextlib.contextmanager
def cluster(args):
    jax.distributed.initialize(args.coordinator, args.num_processes, args.process_id)
    try:
        yield Mesh(np.array(jax.devices()), ("h",))
    finally:
        jax.distributed.shutdown()


class StateStore:
    def __init__(self, workdir):
        # every host has its own scratch
        self.dir = os.path.join(workdir, f"host{jax.process_index()}")
        self.file = os.path.join(self.dir, "state.pkl")

    def exists(self):
        return os.path.exists(self.file)

    def read(self):
        with open(self.file, "rb") as fh:
            return pickle.load(fh)

    def write(self, state):
        if jax.process_index() == 0:
            os.makedirs(self.dir, exist_ok=True)
            with open(self.file + ".new", "wb") as fh:
                pickle.dump(jax.tree_util.tree_map(np.asarray, state), fh)
            os.replace(self.file + ".new", self.file)

    def restore(self, template):
        """the stored state if there is one, else the template"""
        state = template
        if self.exists():
            state = self.read()
            print(f"[{jax.process_index()}] resuming at step {int(state['step'])}", flush=True)
        return multihost_utils.broadcast_one_to_all(state)


def fresh_state(dim):
    return {"step": np.zeros((), np.int32), "w": np.zeros((dim,), np.float32)}


@jax.jit
def update(w, x, y):
    f = lambda w: jnp.mean((x @ w - y) ** 2)
    loss, g = jax.value_and_grad(f)(w)
    return w - 0.1 * g, loss


def batch(mesh, step, dim, n=16):
    rng = np.random.default_rng([7, step, jax.process_index()])
    x = rng.normal(size=(n, dim)).astype(np.float32)
    y = x @ np.linspace(-1, 1, dim, dtype=np.float32)
    sh = NamedSharding(mesh, P("h"))
    return [jax.make_array_from_process_local_data(sh, a) for a in (x, y)]


def train(mesh, store, args):
    state = store.restore(fresh_state(args.dim))
    first = int(state["step"])
    w = jax.device_put(np.asarray(state["w"]), NamedSharding(mesh, P()))
    loss = np.nan
    for step in range(first, first + args.steps):
        w, loss = update(w, *batch(mesh, step, args.dim))
        if (step + 1) % args.save_every == 0:
            store.write({"step": np.int32(step + 1), "w": w})
    return first + args.steps, float(loss)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--coordinator")
    ap.add_argument("--num-processes", type=int)
    ap.add_argument("--process-id", type=int)
    ap.add_argument("--workdir", default="work")
    ap.add_argument("--dim", type=int, default=5)
    ap.add_argument("--steps", type=int, default=20)
    ap.add_argument("--save-every", type=int, default=10)
    ap.add_argument("--demo", action="store_true", help="run twice, the second run resumes")
    args = ap.parse_args()
    with cluster(args) as mesh:
        for _ in range(2 if args.demo else 1):
            last, loss = train(mesh, StateStore(args.workdir), args)
            if jax.process_index() == 0:
                print(f"stopped at step {last}, loss {loss:.6f}", flush=True)


if __name__ == "__main__":
    main()
