import argparse
import csv
import logging

import numpy as np
from mpi4py import MPI

from farm import TaskFarm
from vdw import coexistence


def main():
    ap = argparse.ArgumentParser(description="coexistence curve of the vdW fluid")
    ap.add_argument("--tmin", type=float, default=0.86)
    ap.add_argument("--tmax", type=float, default=1.04)
    ap.add_argument("--points", type=int, default=37)
    ap.add_argument("-o", "--output", default="coexistence.csv")
    args = ap.parse_args()
    logging.basicConfig(level=logging.WARNING, format="%(name)s: %(message)s")

    temps = [float(t) for t in np.linspace(args.tmin, args.tmax, args.points)]
    farm = TaskFarm(coexistence)
    t0 = MPI.Wtime()
    found = farm.map(temps)

    if farm.is_master:
        with open(args.output, "w", newline="") as fh:
            out = csv.DictWriter(fh, ["t", "p", "rho_l", "rho_g"])
            out.writeheader()
            out.writerows(found[k] for k in sorted(found))
        print(f"{len(found)} of {len(temps)} temperatures below the critical point, "
              f"{MPI.Wtime() - t0:.2f} s")


if __name__ == "__main__":
    main()
