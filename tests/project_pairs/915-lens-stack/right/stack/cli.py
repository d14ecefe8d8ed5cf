"""Mean tangential shear around a sample of lenses."""
import argparse

from mpi4py import MPI

from .binning import RadialBins
from .catalog import make_lenses, sources_of
from .estimators import Counts, MeanShear


def report(bins, columns):
    print("radius   " + "  ".join(f"{label:>12s}" for label, _ in columns))
    for i, r in enumerate(bins.centres):
        print(f"{r:7.3f}  " + "  ".join(f"{values[i]:12.6f}" for _, values in columns))


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lenses", type=int, default=120)
    parser.add_argument("--bins", type=int, default=6)
    parser.add_argument("--seed", type=int, default=20)
    args = parser.parse_args(argv)

    comm = MPI.COMM_WORLD
    bins = RadialBins(0.1, 3.0, args.bins)
    lenses = make_lenses(args.lenses, args.seed)
    profiles = [Counts(bins), MeanShear(bins)]
    for index in lenses.part(comm.rank, comm.size):
        catalogue = sources_of(index, lenses, args.seed)
        for profile in profiles:
            profile.add(*catalogue)
    columns = [(p.label, p.combine(comm)) for p in profiles]
    if comm.rank == 0:
        report(bins, columns)
