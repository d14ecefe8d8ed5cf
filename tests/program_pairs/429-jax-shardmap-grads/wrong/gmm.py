"""Fit a 1-D density by a mixture of gaussians; points sharded over devices.
Same program for one or several hosts."""
import sys
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

AXIS = "pts"

CONFIG = dict(
    components=3,
    steps=200,
    lr=0.05,
    points_per_host=400,
)


def log_mix(theta, x):
    logw = jax.nn.log_softmax(theta["logits"])
    s = jnp.exp(theta["logs"])
    z = (x[:, None] - theta["mu"]) / s
    return jax.scipy.special.logsumexp(logw - 0.5 * z ** 2 - jnp.log(s), axis=1)


def nll(theta, x):
    return -jnp.mean(log_mix(theta, x))


def adam_init(theta):
    zeros = jax.tree_util.tree_map(jnp.zeros_like, theta)
    return zeros, zeros, jnp.zeros(())


def adam(theta, g, opt, lr, b1=0.9, b2=0.99):
    m, v, t = opt
    t = t + 1
    m = jax.tree_util.tree_map(lambda a, b: b1 * a + (1 - b1) * b, m, g)
    v = jax.tree_util.tree_map(lambda a, b: b2 * a + (1 - b2) * b * b, v, g)
    new = jax.tree_util.tree_map(
        lambda p, a, b: p - lr * (a / (1 - b1 ** t)) / (jnp.sqrt(b / (1 - b2 ** t)) + 1e-8),
        theta, m, v)
    return new, (m, v, t)


class Fitter:
    def __init__(self, mesh, cfg):
        self.mesh, self.cfg = mesh, cfg
        self.step = jax.jit(jax.shard_map(
            self._local_step, mesh=mesh,
            in_specs=(P(), P(), P(AXIS)),
            out_specs=(P(), P(), P()),
            check_vma=False))

    def _reduce(self, tree):
        return jax.tree_util.tree_map(lambda a: jax.lax.pmean(a, AXIS), tree)

    def _local_step(self, theta, opt, x):
        loss, g = jax.value_and_grad(nll)(theta, x)
        loss = self._reduce(loss)
        theta, opt = adam(theta, g, opt, self.cfg["lr"])
        return theta, opt, loss

    def start(self):
        k = self.cfg["components"]
        theta = {"mu": np.linspace(-2, 2, k).astype(np.float32),
                 "logs": np.zeros(k, np.float32),
                 "logits": np.zeros(k, np.float32)}
        opt = jax.tree_util.tree_map(np.asarray, adam_init(theta))
        return jax.device_put((theta, opt), NamedSharding(self.mesh, P()))

    def run(self, x):
        theta, opt = self.start()
        for it in range(self.cfg["steps"]):
            theta, opt, loss = self.step(theta, opt, x)
            if it % 50 == 0 and jax.process_index() == 0:
                print(f"{it:4d}  {float(loss):.5f}", flush=True)
        return theta


def host_points(n):
    """detectors on different hosts see different parts of the spectrum"""
    pid = jax.process_index()
    rng = np.random.default_rng(pid)
    centre = np.array([-2.0, 1.5, 0.2])[pid % 3]
    return (centre + 0.4 * rng.normal(size=n)).astype(np.float32)


def main(pid, n, address):
    if n > 1:
        jax.distributed.initialize(address, n, pid)
    mesh = Mesh(np.array(jax.devices()), (AXIS,))
    x = jax.make_array_from_process_local_data(
        NamedSharding(mesh, P(AXIS)), host_points(CONFIG["points_per_host"]))
    theta = Fitter(mesh, CONFIG).run(x)
    local = jax.tree_util.tree_map(lambda a: np.asarray(a.addressable_data(0)), theta)
    print(f"host {pid}: mu =", np.round(np.sort(local["mu"]), 3), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
