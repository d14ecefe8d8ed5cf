"""Cohort statistics: call rate, allele frequency and depth."""
import json
import sys

from mpi4py import MPI

from popvar.pipeline import run_pipeline
from popvar.samples import CohortConfig


def summary(context):
    out = {}
    for name, values in context.results.items():
        out[name] = {"sum": round(float(values.sum()), 4),
                     "max": round(float(values.max()), 4)}
    out["failures"] = context.failures
    return out


def main():
    comm = MPI.COMM_WORLD
    context = run_pipeline(comm, CohortConfig())
    if comm.rank == 0:
        json.dump(summary(context), sys.stdout, indent=1)
        print()


if __name__ == "__main__":
    main()
