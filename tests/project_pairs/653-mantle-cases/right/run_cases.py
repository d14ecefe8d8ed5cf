#!/usr/bin/env python3
"""Run all cases given on the command line, one after the other."""
import argparse
import logging
from pathlib import Path

from mpi4py import MPI

from config import CaseError, load_case
from convection import run_case

log = logging.getLogger("mantle")


def default_cases():
    return sorted((Path(__file__).parent / "cases").glob("*.json"))


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("cases", nargs="*", type=Path)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    logging.basicConfig(level=logging.INFO if comm.rank == 0 else logging.CRITICAL,
                        format="%(levelname)s %(message)s")
    rows = []
    for path in args.cases or default_cases():
        try:
            case = load_case(path, comm)
        except CaseError as exc:
            log.error("skipping %s (%s)", path.name, exc)
            continue
        t, nu = run_case(case, comm)
        log.info("%-10s Ra = %8.1e   t = %.4f   Nu = %.3f", case.name, case.rayleigh, t, nu)
        rows.append((case.name, nu))

    if comm.rank == 0:
        with open("nusselt.txt", "w") as fh:
            fh.writelines(f"{name} {nu:.6f}\n" for name, nu in rows)


if __name__ == "__main__":
    main()
