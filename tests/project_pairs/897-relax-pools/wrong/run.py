"""Relax a set of small clusters with pools of ranks and rank them by energy."""
import argparse
import csv

from mpi4py import MPI

from relax.layout import PoolLayout
from relax.queue import pool_share
from relax.results import ResultCollector
from relax.settings import RelaxSettings
from relax.structures import make_structures
from relax.workflow import relax_structure


def parse_args():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--structures", type=int, default=16)
    ap.add_argument("--pools", type=int, default=2)
    ap.add_argument("--ratings", default="1.0,2.5,1.5,1.0", help="speed of the slots")
    ap.add_argument("--out", default="ranking.csv")
    return ap.parse_args()


def main():
    args = parse_args()
    settings = RelaxSettings.from_dict(vars(args))
    layout = PoolLayout.build(MPI.COMM_WORLD, settings)
    collector = ResultCollector(layout)
    structures = make_structures(settings.structures, settings.seed)
    for structure in pool_share(structures, layout):
        collector.add(relax_structure(structure, settings))

    rows = collector.collect()
    if rows is not None:
        with open(settings.out, "w", newline="") as fh:
            writer = csv.DictWriter(fh, fieldnames=["name", "atoms", "energy", "steps"])
            writer.writeheader()
            writer.writerows(rows)
        print(f"{len(rows)} structures from {settings.pools} pools")
        for row in rows[:3]:
            print(f"{row['name']}  n={row['atoms']:2d}  E/n={row['energy'] / row['atoms']:.5f}")


if __name__ == "__main__":
    main()
