"""Monte Carlo transport: depth profile of absorbed photons."""
import argparse

import numpy as np
from mpi4py import MPI

from stage import staging
from transport import share, walk


def merge(stage, photons):
    tally = sum(stage.parts("tally")) / photons
    reflected, transmitted = sum(stage.parts("escaped")) / photons
    np.savetxt(stage.folder / "profile.txt", tally, fmt="%.8e")
    return tally.sum(), reflected, transmitted


def simulate(comm, stage, args):
    rng = np.random.default_rng((args.seed, comm.rank))
    n = share(args.photons, comm.rank, comm.size)
    tally = np.zeros(args.bins)
    escaped = np.zeros(2)
    while n:
        batch = min(n, args.batch)
        t, e = walk(batch, args.thickness, args.albedo, args.bins, rng)
        tally += t
        escaped += e
        n -= batch
    stage.write("tally", tally)
    stage.write("escaped", escaped)


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--photons", type=int, default=200_000)
    ap.add_argument("--batch", type=int, default=5000)
    ap.add_argument("--thickness", type=float, default=4.0)
    ap.add_argument("--albedo", type=float, default=0.9)
    ap.add_argument("--bins", type=int, default=40)
    ap.add_argument("--seed", type=int, default=5)
    ap.add_argument("--out", default="out")
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    with staging(comm, args.out) as stage:
        simulate(comm, stage, args)

    if comm.rank == 0:
        absorbed, reflected, transmitted = merge(stage, args.photons)
        print(f"absorbed {absorbed:.5f}  reflected {reflected:.5f}  transmitted {transmitted:.5f}")
        assert abs(absorbed + reflected + transmitted - 1.0) < 1e-9


if __name__ == "__main__":
    main()
