"""Tiny character model, data-parallel over hosts."""
import argparse
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

TEXT = ("it was the best of times, it was the worst of times, it was the age of "
        "wisdom, it was the age of foolishness, ") * 8
CHARS = sorted(set(TEXT))
LOOKUP = {c: i for i, c in enumerate(CHARS)}


class Keys:
    """All random keys of a run come from here."""

    def __init__(self, seed):
        self.base = jax.random.PRNGKey(seed)
        self.host = jax.random.fold_in(self.base, jax.process_index())

    def for_init(self):
        return jax.random.fold_in(self.base, 1)

    def for_data(self, step):
        return jax.random.fold_in(self.host, 1000 + step)


def init_params(key, width=24):
    v = len(CHARS)
    k = jax.random.split(key, 3)
    return {
        "emb": 0.1 * jax.random.normal(k[0], (v, width)),
        "mix": jax.random.normal(k[1], (3 * width, width)) / (3 * width) ** 0.5,
        "out": jax.random.normal(k[2], (width, v)) / width ** 0.5,
    }


def nll(params, ctx, target):
    h = params["emb"][ctx].reshape(ctx.shape[0], -1)
    logits = jnp.tanh(h @ params["mix"]) @ params["out"]
    lp = jax.nn.log_softmax(logits)
    return -jnp.mean(jnp.take_along_axis(lp, target[:, None], axis=1))


@functools.partial(jax.jit, static_argnames="lr")
def update(params, ctx, target, lr):
    loss, g = jax.value_and_grad(nll)(params, ctx, target)
    return jax.tree_util.tree_map(lambda p, d: p - lr * d, params, g), loss


class Run:
    def __init__(self, args):
        self.args = args
        self.mesh = Mesh(np.array(jax.devices()), ("data",))
        self.keys = Keys(args.seed)
        self.codes = np.array([LOOKUP[c] for c in TEXT])

    def initial_state(self):
        local = jax.tree_util.tree_map(np.asarray, init_params(self.keys.for_init()))
        return multihost_utils.host_local_array_to_global_array(local, self.mesh, P())

    def batch(self, step):
        pos = np.asarray(jax.random.randint(self.keys.for_data(step), (self.args.batch,), 0,
                                            len(self.codes) - 4))
        ctx = np.stack([self.codes[pos + j] for j in range(3)], axis=1)
        tgt = self.codes[pos + 3]
        return multihost_utils.host_local_array_to_global_array(
            (ctx, tgt), self.mesh, (P("data"), P("data")))

    def train(self):
        state = self.initial_state()
        for step in range(self.args.steps):
            ctx, tgt = self.batch(step)
            state, loss = update(state, ctx, tgt, self.args.lr)
            if jax.process_index() == 0 and step % 50 == 0:
                print(f"{step:4d} {float(loss):.4f}")
        return state


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--coord", required=True)
    ap.add_argument("-n", type=int, required=True)
    ap.add_argument("-i", type=int, required=True)
    ap.add_argument("--seed", type=int, default=5)
    ap.add_argument("--steps", type=int, default=120)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--lr", type=float, default=0.5)
    args = ap.parse_args()
    jax.distributed.initialize(args.coord, args.n, args.i)
    state = Run(args).train()
    norm = float(np.linalg.norm(np.asarray(state["out"].addressable_data(0))))
    print(f"host {jax.process_index()} |out| = {norm:.5f}", flush=True)
    multihost_utils.sync_global_devices("done")


if __name__ == "__main__":
    main()
