"""Power spectrum of a long record whose segments are spread over the processes."""
import argparse

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

SEGMENT = 128


class Record:
    """The segments of the record in the file order."""

    def __init__(self, segments):
        rng = np.random.default_rng(12)
        t = np.arange(segments * SEGMENT)
        signal = np.sin(2 * np.pi * t * 14 / SEGMENT) + 0.5 * np.sin(2 * np.pi * t * 40 / SEGMENT)
        self.data = (signal + rng.normal(size=t.size)).reshape(segments, SEGMENT)

    def __len__(self):
        return len(self.data)

    def part(self, index, count):
        per = len(self) // count
        return self.data[index * per:(index + 1) * per].astype(np.float32)


@jax.jit
def summed_power(segments):
    window = jnp.hanning(SEGMENT)
    spectrum = jnp.fft.rfft(segments * window, axis=1)
    return jnp.sum(jnp.abs(spectrum) ** 2, axis=0) / jnp.sum(window ** 2)


def welch(record, mesh):
    rows = NamedSharding(mesh, P("segment", None))
    segments = jax.make_array_from_process_local_data(rows, record.data.astype(np.float32))
    total = summed_power(segments)
    return total / len(record)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--id", type=int, default=0)
    parser.add_argument("--n", type=int, default=1)
    parser.add_argument("--port", type=int, default=12825)
    parser.add_argument("--segments", type=int, default=48)
    args = parser.parse_args()
    if args.segments % args.n:
        raise SystemExit("the segments must be a multiple of the processes")
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(f"localhost:{args.port}", args.n, args.id)
    mesh = Mesh(np.array(jax.devices()), ("segment",))
    record = Record(args.segments)
    power = np.asarray(welch(record, mesh))
    if jax.process_index() == 0:
        top = np.flatnonzero((power[1:-1] > power[:-2]) & (power[1:-1] > power[2:]) & (power[1:-1] > 5)) + 1
        print("lines at", np.round(top / SEGMENT, 3), "power", np.round(power[top], 2))
        noise = np.median(power)
        print(f"noise floor {noise:.3f}, variance of the record {record.data.var():.3f}")
    multihost_utils.sync_global_devices("done")


if __name__ == "__main__":
    main()
