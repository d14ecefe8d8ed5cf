"""Power spectrum of a long radio recording, one segment per process and step."""
import argparse

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils

import cluster

SEGMENT = 4096


def record(number):
    rng = np.random.default_rng([90, number])
    t = np.arange(SEGMENT) / SEGMENT
    signal = 0.2 * np.sin(2 * np.pi * 440 * t + number) + 0.1 * np.sin(2 * np.pi * 1210 * t)
    return (signal + rng.normal(size=SEGMENT)).astype(np.float32)


@jax.jit
def power(segment):
    window = jnp.hanning(SEGMENT)
    return jnp.abs(jnp.fft.rfft(segment * window)) ** 2


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--segments", type=int, default=60)
    args = parser.parse_args()

    job = cluster.start()
    total = np.zeros(SEGMENT // 2 + 1)
    count = 0
    for number in range(job.task, args.segments, job.tasks):
        total += np.asarray(power(record(number)))
        count += 1

    totals = multihost_utils.process_allgather(total.astype(np.float32))
    counts = multihost_utils.process_allgather(np.array([count]))
    if jax.process_index() == 0:
        spectrum = totals.reshape(job.tasks, -1).sum(axis=0) / counts.sum()
        lines = np.argsort(-spectrum)[:2]
        noise = np.median(spectrum)
        print(f"{int(counts.sum())} segments from {job.tasks} processes")
        for k in sorted(lines):
            print(f"line at {k} cycles per segment, {spectrum[k] / noise:.1f} times the noise")


if __name__ == "__main__":
    main()
