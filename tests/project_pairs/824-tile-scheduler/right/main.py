"""Integrate a function over tiles, with a farm of workers or serially."""
from __future__ import annotations

import logging

import numpy as np
from mpi4py import MPI

from master import Master
from protocol import Tile
from worker import Worker


def kernel(x: np.ndarray) -> np.ndarray:
    return np.exp(-x) * (1.0 + np.sin(x) ** 2)


def integrate(results: dict[int, np.ndarray]) -> float:
    return sum(float(values.mean()) for _, values in sorted(results.items()))


def main() -> int:
    comm = MPI.COMM_WORLD
    logging.basicConfig(level=logging.WARNING)
    tiles = [Tile(i, width=200 + 40 * (i % 3)) for i in range(12)]
    serial = {t.index: kernel(t.sample_points()) for t in tiles}
    if comm.size == 1:
        print(f"integral {integrate(serial):.8f} (serial)")
        return 0
    if comm.rank > 0:
        Worker(comm, kernel).serve()
        return 0
    found = integrate(Master(comm, tiles).run())
    expected = integrate(serial)
    print(f"integral {found:.8f}, expected {expected:.8f}")
    return 0 if abs(found - expected) < 1e-10 else 1


if __name__ == "__main__":
    raise SystemExit(main())
