"""Stochastic EM-like fit of a Gaussian mixture by gradient ascent.

Runs until the time budget is used up, then writes the mixture.
"""
import argparse
import json

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec as P

from budget import TimeBudget

K = 4


def log_likelihood(params, x):
    log_pi = jax.nn.log_softmax(params["logits"])
    inv_sd = jnp.exp(-params["log_sd"])
    z = (x[:, None] - params["mean"][None, :]) * inv_sd
    log_n = -0.5 * z**2 + jnp.log(inv_sd) - 0.5 * jnp.log(2 * jnp.pi)
    return jnp.mean(jax.nn.logsumexp(log_pi + log_n, axis=1))


@jax.jit
def ascent(params, x, lr):
    value, grads = jax.value_and_grad(log_likelihood)(params, x)
    return jax.tree.map(lambda p, g: p + lr * g, params, grads), value


def local_samples(n, seed):
    rng = np.random.default_rng([seed, jax.process_index()])
    component = rng.choice(K, size=n, p=[0.4, 0.3, 0.2, 0.1])
    centre = np.array([-4.0, -1.0, 2.0, 5.0])[component]
    return (centre + 0.5 * rng.normal(size=n)).astype(np.float32), rng


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--coordinator", default="localhost:7788")
    ap.add_argument("--nproc", type=int, required=True)
    ap.add_argument("--proc", type=int, required=True)
    ap.add_argument("--seconds", type=float, default=3.0)
    ap.add_argument("--batch", type=int, default=256)
    ap.add_argument("--out", default="mixture.json")
    args = ap.parse_args()

    jax.distributed.initialize(args.coordinator, args.nproc, args.proc)
    budget = TimeBudget(args.seconds)
    samples, rng = local_samples(20_000, seed=8)
    mesh = jax.make_mesh((jax.device_count(),), ("x",))
    rows = NamedSharding(mesh, P("x"))
    params = {
        "logits": np.zeros(K, np.float32),
        "mean": np.linspace(-3, 3, K).astype(np.float32),
        "log_sd": np.zeros(K, np.float32),
    }
    params = jax.device_put(params, NamedSharding(mesh, P()))

    step = 0
    while not budget.exhausted():
        batch = rng.choice(samples, size=args.batch)
        x = jax.make_array_from_process_local_data(rows, batch)
        params, value = ascent(params, x, 0.05)
        step += 1
        if step % 500 == 0 and args.proc == 0:
            print(f"step {step}: log-likelihood {float(value):.4f}", flush=True)

    final = {k: np.asarray(v) for k, v in params.items()}
    if args.proc == 0:
        weights = np.exp(final["logits"]) / np.exp(final["logits"]).sum()
        with open(args.out, "w") as f:
            json.dump(
                {
                    "steps": step,
                    "weights": weights.tolist(),
                    "mean": final["mean"].tolist(),
                    "sd": np.exp(final["log_sd"]).tolist(),
                },
                f,
                indent=2,
            )
        print(f"{step} steps, {budget.report()}")


if __name__ == "__main__":
    main()
