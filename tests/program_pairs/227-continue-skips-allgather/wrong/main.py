"""Process nightly exposures in rounds: one exposure per rank and round."""
from mpi4py import MPI

from catalog import Catalog
from exposures import list_exposures, read_exposure, BadExposure


def main():
    comm = MPI.COMM_WORLD
    names = list_exposures(10)
    catalog = Catalog()
    rounds = (len(names) + comm.size - 1) // comm.size

    for k in range(rounds):
        idx = k * comm.size + comm.rank
        found = []
        if idx < len(names):
            try:
                found = read_exposure(names[idx])
            except BadExposure as err:
                print(f"[{comm.rank}] skipping {names[idx]}: {err}", flush=True)
                continue
        for part in comm.allgather(found):
            catalog.add(part)

    n = comm.allreduce(len(catalog), op=MPI.MAX)
    if comm.rank == 0:
        print(f"{n} sources, brightest {catalog.brightest():.3f}")


main()
