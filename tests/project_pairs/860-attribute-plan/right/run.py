"""Statistics of the attributes used for the facies classification."""
import numpy as np
from mpi4py import MPI

from seisattr.engine import run_attributes
from seisattr.section import Section

REQUESTED = ("sweetness", "contrast", "roughness", "crossings")


def main():
    comm = MPI.COMM_WORLD
    section = Section(comm)
    normalised, stats = run_attributes(section, REQUESTED)
    outliers = {name: comm.reduce(int(np.sum(np.abs(values) > 3.0)), root=0)
                for name, values in normalised.items()}
    if comm.rank == 0:
        for name in sorted(stats):
            print(f"{name:12s} mean {stats[name].mean:10.4f} "
                  f"spread {stats[name].spread:10.4f}")
        for name in REQUESTED:
            print(f"{name:12s} {outliers[name]:6d} outliers")


if __name__ == "__main__":
    main()
