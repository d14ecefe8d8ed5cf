"""Trigram-style neural character model, data parallel over processes."""
import argparse
import logging

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

from tokens import load_tokens

CONTEXT = 4


def parse_args():
    ap = argparse.ArgumentParser()
    ap.add_argument("--coordinator_address", type=str)
    ap.add_argument("--num_processes", type=int)
    ap.add_argument("--process_id", type=int)
    ap.add_argument("--cache_dir", default="cache")
    ap.add_argument("--steps", type=int, default=100)
    ap.add_argument("--per_process_batch", type=int, default=64)
    ap.add_argument("--lr", type=float, default=0.5)
    return ap.parse_args()


def init_model(key, vocab, dim=16, hidden=64):
    ke, k1, k2 = jax.random.split(key, 3)
    return {
        "embed": 0.1 * jax.random.normal(ke, (vocab, dim)),
        "w": jax.random.normal(k1, (CONTEXT * dim, hidden)) / np.sqrt(CONTEXT * dim),
        "out": jax.random.normal(k2, (hidden, vocab)) / np.sqrt(hidden),
    }


def nll(params, context, target):
    e = params["embed"][context].reshape(context.shape[0], -1)
    logits = jnp.tanh(e @ params["w"]) @ params["out"]
    logp = jax.nn.log_softmax(logits)
    return -jnp.mean(jnp.take_along_axis(logp, target[:, None], axis=1))


def make_update(lr):
    @jax.jit
    def update(params, context, target):
        loss, grads = jax.value_and_grad(nll)(params, context, target)
        return jax.tree.map(lambda p, g: p - lr * g, params, grads), loss

    return update


def sample_batch(ids, rng, n):
    starts = rng.integers(0, len(ids) - CONTEXT, size=n)
    context = np.stack([ids[s:s + CONTEXT] for s in starts])
    return context, ids[starts + CONTEXT]


def main():
    args = parse_args()
    jax.distributed.initialize(args.coordinator_address, args.num_processes, args.process_id)
    me, n_proc = jax.process_index(), jax.process_count()
    logging.basicConfig(
        level=logging.INFO if me == 0 else logging.WARNING,
        format=f"[{me}/{n_proc}] %(message)s",
    )

    ids, alphabet = load_tokens(args.cache_dir)
    block = len(ids) // n_proc
    local_ids = ids[me * block:(me + 1) * block]
    logging.info("%d tokens, alphabet of %d", len(ids), len(alphabet))

    mesh = Mesh(np.array(jax.devices()), ("batch",))
    params = init_model(jax.random.PRNGKey(0), len(alphabet))
    params = jax.device_put(jax.tree.map(np.asarray, params), NamedSharding(mesh, P()))
    sharding = NamedSharding(mesh, P("batch"))
    update = make_update(args.lr)
    rng = np.random.default_rng([2, me])

    for step in range(args.steps):
        context, target = sample_batch(local_ids, rng, args.per_process_batch)
        params, loss = update(
            params,
            jax.make_array_from_process_local_data(sharding, context),
            jax.make_array_from_process_local_data(sharding, target),
        )
        if step % 20 == 0:
            logging.info("step %d nll %.3f", step, float(loss))
    logging.info("final nll %.3f", float(loss))


if __name__ == "__main__":
    main()
