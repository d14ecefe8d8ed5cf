"""Find the genes that separate two tissues, from log counts of many samples."""
import sys

import numpy as np
from mpi4py import MPI

from zscore import gene_stats, standardise

GENES = 400
TISSUES = (("liver", 37), ("kidney", 52))


def load_samples(start, stop):
    """Rows start..stop of the (simulated) expression matrix, liver first."""
    profile = np.random.default_rng(0).gamma(2.0, 2.0, GENES)
    markers = np.random.default_rng(1).choice(GENES, 12, replace=False)
    n_liver = TISSUES[0][1]
    rows = np.empty((stop - start, GENES))
    for k, sample in enumerate(range(start, stop)):
        rng = np.random.default_rng([5, sample])
        rows[k] = profile + rng.normal(0, 1, GENES)
        if sample < n_liver:
            rows[k, markers] += 3.0
    liver = np.arange(start, stop) < n_liver
    return rows, liver


def split(n, size, rank):
    base, extra = divmod(n, size)
    start = rank * base + min(rank, extra)
    return start, start + base + (rank < extra)


def main():
    comm = MPI.COMM_WORLD
    total = sum(n for _, n in TISSUES)
    start, stop = split(total, comm.size, comm.rank)
    expr, liver = load_samples(start, stop)

    stats = gene_stats(comm, expr)
    z = standardise(expr, stats)

    sums = np.zeros((2, GENES))
    sums[0] = z[liver].sum(axis=0)
    sums[1] = z[~liver].sum(axis=0)
    all_sums = np.empty_like(sums) if comm.rank == 0 else None
    comm.Reduce(sums, all_sums, root=0)
    if comm.rank == 0:
        contrast = all_sums[0] / TISSUES[0][1] - all_sums[1] / TISSUES[1][1]
        top = np.argsort(-contrast)[:5]
        print(f"{stats.samples} samples, mean standard deviation {stats.std.mean():.5f}")
        for g in top:
            print(f"gene {g:4d}  contrast {contrast[g]:.4f}")


if __name__ == "__main__":
    sys.exit(main())
