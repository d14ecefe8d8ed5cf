"""Rebin time-of-flight neutron events to d-spacing, detector banks over ranks."""
import functools
import logging
import os
import sys
import tempfile

import h5py
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
log = logging.getLogger(f"rank{comm.rank}")

H_OVER_MN = 3956.034          # m/s * Angstrom
FLIGHT_PATH = 20.0            # m
N_BANKS = 10
EVENTS_PER_BANK = 4000


def on_root(func):
    """Run func on rank 0 only and hand its result to everybody."""

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        result = None
        if comm.rank == 0:
            result = func(*args, **kwargs)
        return comm.bcast(result, root=0)

    return wrapper


@on_root
def make_calibration(path):
    """Write a calibration file as the instrument scientist would provide it."""
    rng = np.random.default_rng(4)
    with h5py.File(path, "w") as f:
        f["two_theta"] = np.linspace(30.0, 150.0, N_BANKS)
        f["t_zero"] = rng.normal(0.0, 2e-6, N_BANKS)
        f["d_limits"] = np.array([0.5, 3.5])
    log.info("calibration written to %s", path)


@on_root
def read_calibration(path):
    with h5py.File(path, "r") as f:
        return {name: f[name][()] for name in f}


@on_root
def report(hist, edges):
    centres = 0.5 * (edges[1:] + edges[:-1])
    top = np.argsort(hist)[-3:][::-1]
    print(f"{int(hist.sum())} events in {len(hist)} bins")
    for i in top:
        print(f"  peak at d = {centres[i]:.3f} A: {int(hist[i])} counts")


def simulate_events(bank, two_theta, t_zero):
    rng = np.random.default_rng([77, bank])
    lines = np.array([3.135, 1.920, 1.637, 1.246])
    d = rng.choice(lines, EVENTS_PER_BANK, p=[0.4, 0.3, 0.2, 0.1])
    d = d * (1.0 + rng.normal(0.0, 2e-3, EVENTS_PER_BANK))
    wavelength = 2.0 * d * np.sin(np.radians(two_theta) / 2)
    return wavelength * FLIGHT_PATH / H_OVER_MN + t_zero


def to_d_spacing(tof, two_theta, t_zero):
    wavelength = (tof - t_zero) * H_OVER_MN / FLIGHT_PATH
    return wavelength / (2.0 * np.sin(np.radians(two_theta) / 2))


def main(argv):
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    path = argv[0] if argv else os.path.join(tempfile.gettempdir(), "powder_cal.h5")

    make_calibration(path)
    cal = read_calibration(path)
    edges = np.linspace(*cal["d_limits"], 301)

    hist = np.zeros(len(edges) - 1)
    for bank in range(comm.rank, N_BANKS, comm.size):
        geometry = cal["two_theta"][bank], cal["t_zero"][bank]
        d = to_d_spacing(simulate_events(bank, *geometry), *geometry)
        hist += np.histogram(d, bins=edges)[0]

    comm.Allreduce(MPI.IN_PLACE, hist, op=MPI.SUM)
    report(hist, edges)


if __name__ == "__main__":
    main(sys.argv[1:])
