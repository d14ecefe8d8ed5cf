"""Ring convolution over a global signal: shard_map with neighbour exchange."""
import argparse
import os
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P


def start():
    jax.config.update("jax_num_cpu_devices", 2)
    jax.distributed.initialize(os.environ["COORDINATOR_ADDRESS"],
                               int(os.environ["NUM_PROCESSES"]), int(os.environ["PROCESS_ID"]))


def device_ring():
    """All devices, those of one process next to each other."""
    devices = jax.local_devices()
    devices += [d for d in jax.devices() if d.process_index != jax.process_index()]
    return np.array(devices)


class Smoother:
    def __init__(self, mesh, width):
        self.mesh, self.width = mesh, width
        self.sharding = NamedSharding(mesh, P("x"))
        weights = np.hanning(2 * width + 3)[1:-1]
        self.weights = jnp.asarray(weights / weights.sum(), dtype=jnp.float32)
        self._apply = jax.jit(jax.shard_map(self.kernel, mesh=mesh, in_specs=P("x"), out_specs=P("x")))

    def kernel(self, block):
        n = self.mesh.size
        up = [(i, (i + 1) % n) for i in range(n)]
        down = [(i, (i - 1) % n) for i in range(n)]
        low = jax.lax.ppermute(block[-self.width:], "x", up)
        high = jax.lax.ppermute(block[:self.width], "x", down)
        padded = jnp.concatenate([low, block, high])
        return jnp.convolve(padded, self.weights, mode="valid")

    def load(self, signal):
        return jax.make_array_from_callback(signal.shape, self.sharding, lambda i: signal[i])

    def __call__(self, signal):
        return self._apply(signal)


@partial(jax.jit, static_argnames="n")
def roughness(x, n):
    return jnp.sum((x - jnp.roll(x, 1)) ** 2) / n


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--samples", type=int, default=960)
    ap.add_argument("--passes", type=int, default=3)
    ap.add_argument("--width", type=int, default=4)
    args = ap.parse_args()
    start()
    mesh = Mesh(device_ring(), ("x",))
    if args.samples % mesh.size or args.samples // mesh.size < args.width:
        raise SystemExit(f"{args.samples} samples do not fit {mesh.size} devices")
    rng = np.random.default_rng(40)
    t = np.arange(args.samples) / args.samples
    signal = (np.sin(2 * np.pi * 3 * t) + t + 0.3 * rng.standard_normal(args.samples)).astype(np.float32)

    smoother = Smoother(mesh, args.width)
    x = smoother.load(signal)
    for _ in range(args.passes):
        x = smoother(x)
    value = float(roughness(x, args.samples))
    full = multihost_utils.process_allgather(x, tiled=True)
    if jax.process_index() == 0:
        print(f"roughness {value:.6f} mean {full.mean():.5f} first {full[:3].round(4)} weighted {float(full @ t.astype(np.float32)):.3f}")
    jax.distributed.shutdown()


if __name__ == "__main__":
    main()
