"""Transmission through a double barrier for many energies; results in one HDF5 file."""
import argparse
import os
import tempfile

import h5py
import numpy as np
from mpi4py import MPI


def transmission(energy, width, height=1.0, well=1.5):
    """Transfer matrices for barrier, well, barrier (hbar = m = 1)."""
    k = np.sqrt(2 * energy + 0j)
    q = np.sqrt(2 * (energy - height) + 0j)

    def interface(a, b):
        return 0.5 * np.array([[1 + b / a, 1 - b / a], [1 - b / a, 1 + b / a]])

    def free(a, d):
        return np.diag([np.exp(-1j * a * d), np.exp(1j * a * d)])

    barrier = interface(k, q) @ free(q, width) @ interface(q, k)
    m = barrier @ free(k, well) @ barrier
    return float(1 / abs(m[0, 0]) ** 2)


class ResultFile:
    """One group for each barrier width."""

    def __init__(self, comm, path):
        self.comm = comm
        self.path = path

    def store(self, cases):
        with h5py.File(self.path, "a") as f:
            for width, (energies, values) in cases.items():
                group = f.create_group(f"width_{width:.3f}")
                group["energy"] = energies
                group["transmission"] = values
                group.attrs["computed_by"] = self.comm.rank


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--widths", type=int, default=16)
    parser.add_argument("--energies", type=int, default=300)
    args = parser.parse_args()
    comm = MPI.COMM_WORLD
    folder = comm.bcast(tempfile.mkdtemp() if comm.rank == 0 else None, root=0)
    path = os.path.join(folder, "scan.h5")

    energies = np.linspace(0.02, 0.98, args.energies)
    cases = {}
    for width in np.linspace(0.4, 1.2, args.widths)[comm.rank::comm.size]:
        cases[width] = (energies, [transmission(e, width) for e in energies])
    comm.Barrier()
    ResultFile(comm, path).store(cases)
    comm.Barrier()

    if comm.rank == 0:
        with h5py.File(path, "r") as f:
            best = {name: float(np.max(g["transmission"])) for name, g in f.items()}
        print(f"{len(best)} of {args.widths} widths stored")
        print("highest", max(best.items(), key=lambda kv: kv[1]))
        os.remove(path)
        os.rmdir(folder)


if __name__ == "__main__":
    main()
