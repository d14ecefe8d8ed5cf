import argparse
import logging
import sys

from mpi4py import MPI

from energy import DistributedEnergy
from geometry import Polymer
from observe import RadiusOfGyration, energy_error
from sampler import Metropolis


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--moves", type=int, default=1500)
    ap.add_argument("--beta", type=float, default=1.0)
    ap.add_argument("--step", type=float, default=0.25)
    ap.add_argument("--seed", type=int, default=None)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    logging.basicConfig(stream=sys.stdout, format="%(message)s",
                        level=logging.INFO if comm.rank == 0 else logging.WARNING)
    polymer = Polymer()
    chain = Metropolis(comm, DistributedEnergy(comm, polymer), polymer.start(),
                       args.beta, args.step, args.seed)
    rg = RadiusOfGyration()
    chain.listeners.append((10, rg))
    chain.listeners.append((500, lambda i, c: logging.info(
        "move %5d  E = %9.4f  accepted %.3f", i, c.e, c.rate)))
    chain.run(args.moves)

    errors = comm.gather(energy_error(chain, polymer), root=0)
    if comm.rank == 0:
        print(f"Rg in range: {1.0 < rg.mean() < 10.0}")
        print("energy errors below 1e-6:", [bool(e < 1e-6) for e in errors])
        if max(errors) > 1e-6:
            sys.exit("running energy does not match the configuration")


if __name__ == "__main__":
    main()
