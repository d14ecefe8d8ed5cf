"""Make the merged catalogue and write the brightest sources."""
import csv
import sys

import numpy as np
from mpi4py import MPI

from skycat import logutil, stages
from skycat.catalog import simulate


def brightest_rows(catalog, n):
    local = np.sort(catalog.rows, order="flux")[::-1][:n]
    parts = catalog.comm.gather(local, root=0)
    if parts is None:
        return []
    return np.sort(np.concatenate(parts), order="flux")[::-1][:n]


def main(n_bright=5):
    comm = MPI.COMM_WORLD
    logutil.setup(comm)
    detections = simulate(comm)
    catalog = stages.threshold(detections)
    stages.describe(catalog, "detections")
    catalog = stages.merge(stages.rezone(catalog))
    stages.describe(catalog, "merged")

    top = brightest_rows(catalog, n_bright)
    if comm.rank == 0:
        writer = csv.writer(sys.stdout)
        writer.writerow(catalog.rows.dtype.names)
        for row in top:
            writer.writerow([row["id"], f"{row['ra']:.5f}",
                             f"{row['dec']:.5f}", f"{row['flux']:.3f}"])


if __name__ == "__main__":
    main()
