"""Spread of tracers in a frozen flow for several diffusivities."""
import os
import shutil

import numpy as np
from mpi4py import MPI

from flow import build_stream_function, drift

WORKDIR = "sweep_out"
FLOW_FILE = os.path.join(WORKDIR, "psi.npy")
DIFFUSIVITIES = [0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5]


def prepare(comm, n=128):
    if comm.rank == 0:
        shutil.rmtree(WORKDIR, ignore_errors=True)
        os.makedirs(WORKDIR)
    comm.Barrier()
    if comm.rank == 0:
        np.save(FLOW_FILE, build_stream_function(n))
    return np.load(FLOW_FILE)


def run_cases(comm, psi):
    found = {}
    for index in range(comm.rank, len(DIFFUSIVITIES), comm.size):
        found[index] = drift(psi, 200, DIFFUSIVITIES[index], seed=100 + index)
    return found


def write_case_files(found):
    for index, value in found.items():
        name = os.path.join(WORKDIR, f"case_{index:02d}.txt")
        with open(name, "w") as out:
            out.write(f"{DIFFUSIVITIES[index]} {value:.8f}\n")


def summarise():
    rows = []
    for index in range(len(DIFFUSIVITIES)):
        rows.append(np.loadtxt(os.path.join(WORKDIR, f"case_{index:02d}.txt")))
    return np.array(rows)


def main():
    comm = MPI.COMM_WORLD
    psi = prepare(comm)
    write_case_files(run_cases(comm, psi))
    comm.Barrier()
    if comm.rank == 0:
        table = summarise()
        for kappa, msd in table:
            print(f"kappa {kappa:5.2f}   msd {msd:10.5f}")
        print(f"{len(table)} cases")
        shutil.rmtree(WORKDIR)


if __name__ == "__main__":
    main()
