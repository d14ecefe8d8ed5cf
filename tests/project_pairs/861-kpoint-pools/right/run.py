"""Band energy and gap on a mesh of k-points."""
import argparse
import sys

from mpi4py import MPI

from kpools import output
from kpools.comms import Comms
from kpools.kmesh import half_mesh
from kpools.model import LatticeModel
from kpools.solver import BandSolver


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pools", type=int, default=2)
    parser.add_argument("--mesh", type=int, default=12)
    parser.add_argument("--occupied", type=int, default=3)
    parser.add_argument("--bands", action="store_true")
    args = parser.parse_args()

    with Comms.split(MPI.COMM_WORLD, args.pools) as comms:
        store = output.BandStore(comms)
        solver = BandSolver(comms, LatticeModel())
        for result in solver.results(half_mesh(args.mesh)):
            store.add(result)
        results = store.collect()
        if comms.is_root:
            if args.bands:
                output.write_bands(results, sys.stdout)
            print(f"band energy {output.band_energy(results, args.occupied):.6f}"
                  f"  gap {output.gap(results, args.occupied):.6f}")


if __name__ == "__main__":
    main()
