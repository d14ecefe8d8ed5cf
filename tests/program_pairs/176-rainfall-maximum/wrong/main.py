"""Wettest places of a simulated year; each rank has every size-th day."""
import sys

import numpy as np
from mpi4py import MPI

from extremes import Extremes

SHAPE = (45, 90)
DAYS = 365


def rainfall(day):
    """Field of one day in mm, depends on the number of the day only."""
    rng = np.random.default_rng([2023, day])
    lat = np.linspace(-90, 90, SHAPE[0])[:, None]
    itcz = 10 * np.sin(2 * np.pi * (day - 80) / DAYS)
    scale = 1.0 + 9.0 * np.exp(-(((lat - itcz) / 12.0) ** 2))
    noise = rng.gamma(0.4, 1.0, SHAPE)
    for axis in (0, 1):
        noise = 0.5 * noise + 0.25 * (np.roll(noise, 1, axis) + np.roll(noise, -1, axis))
    return scale * noise


def days_of(rank, size):
    for day in range(rank, DAYS, size):
        yield rainfall(day)


def report(e):
    r, c = np.unravel_index(np.argmax(e.highest), e.highest.shape)
    print(f"{e.days} days, mean {e.total.mean() / e.days:.4f} mm/day")
    print(f"wettest day {e.highest[r, c]:.3f} mm in cell ({r}, {c})")
    print(f"wet days per year {e.wet_days.mean():.2f}, 99% cell {np.quantile(e.highest, 0.99):.3f} mm")


def main():
    comm = MPI.COMM_WORLD
    local = Extremes(SHAPE)
    for field in days_of(comm.rank, comm.size):
        local.add(field)
    whole = local.combined(comm)
    if comm.rank == 0:
        report(whole)
    return 0


if __name__ == "__main__":
    sys.exit(main())
