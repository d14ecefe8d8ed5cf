import argparse
import logging

import numpy as np
from mpi4py import MPI

from galaxies import clustered_catalogue
from mesh import DensityMesh
from stats import histogram, moments


def get_logger(comm):
    log = logging.getLogger("overdensity")
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%H:%M:%S"))
    log.addHandler(handler)
    log.setLevel(logging.INFO if comm.rank == 0 else logging.ERROR)
    return log


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--galaxies", type=int, default=40000)
    ap.add_argument("--mesh", type=int, default=32)
    ap.add_argument("--passes", type=int, default=3)
    ap.add_argument("--seed", type=int, default=17)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    log = get_logger(comm)
    cat = clustered_catalogue(args.galaxies, np.random.default_rng(args.seed))
    mesh = DensityMesh(comm, args.mesh)
    kept = mesh.deposit(cat)
    if log.isEnabledFor(logging.DEBUG):
        log.debug("%d galaxies on this rank", kept)
    mean = mesh.mean
    if log.isEnabledFor(logging.INFO):
        log.info("mean count per cell: %.4f", mean)

    mesh.smooth(args.passes)
    delta = mesh.delta()
    var, s3 = moments(comm, delta)
    edges = np.linspace(-1, 9, 41)
    hist = histogram(comm, delta, edges)
    log.info("variance %.4f   S3 %.4f", var, s3)
    if comm.rank == 0:
        np.savetxt("pdf.txt", np.column_stack([edges[:-1], hist]), fmt="%8.3f %10d")


if __name__ == "__main__":
    main()
