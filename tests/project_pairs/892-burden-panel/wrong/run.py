"""Gene burden scan over a cohort whose samples are spread over the ranks."""
import argparse
import csv
import sys

from mpi4py import MPI

from cohort import Cohort
from counts import BurdenCounter
from panel import Panel
from settings import Settings
from stats import fisher_scan


def build_parser():
    p = argparse.ArgumentParser(prog="burden", description=__doc__)
    p.add_argument("--samples", type=int, default=900)
    p.add_argument("--genes", type=int, default=24)
    p.add_argument("--max-af", type=float, default=0.02)
    p.add_argument("--seed", type=int, default=11)
    p.add_argument("--out", default="burden.csv")
    return p


def write_csv(path, rows):
    with open(path, "w", newline="") as fh:
        writer = csv.writer(fh)
        writer.writerow(["gene", "case_carriers", "control_carriers", "odds", "p"])
        writer.writerows(rows)


def main(argv=None):
    settings = Settings(vars(build_parser().parse_args(argv)))
    comm = MPI.COMM_WORLD
    cohort = Cohort.load(settings, comm.rank, comm.size)
    panel = Panel.from_calls(comm, cohort.calls)
    counter = BurdenCounter(comm, panel, settings)
    table = counter.carrier_table(cohort)
    n_case, n_ctrl = counter.group_sizes(cohort)

    if comm.rank == 0:
        rows = fisher_scan(table, n_case, n_ctrl)
        write_csv(settings.out, rows)
        print(f"{len(rows)} genes, {n_case} cases, {n_ctrl} controls")
        for gene, a, b, odds, p in rows[:4]:
            print(f"{gene:<10s} {a:5d} {b:5d} {odds:8.2f} {p:10.2e}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
