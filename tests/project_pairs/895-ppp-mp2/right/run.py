"""Pariser-Parr-Pople SCF and MP2 energies of linear polyenes."""
import argparse

from mpi4py import MPI

from ppp.model import Polyene
from ppp.mp2 import mp2_energy
from ppp.scf import solve_scf
from ppp.team import Team


def parse_args():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--sites", type=int, nargs="+", default=[6, 10, 14])
    ap.add_argument("--hubbard", type=float, default=11.26, help="on-site repulsion, eV")
    ap.add_argument("--alternation", type=float, default=0.12)
    ap.add_argument("--tol", type=float, default=1e-9)
    return ap.parse_args()


def main():
    args = parse_args()
    team = Team(MPI.COMM_WORLD)
    team.say(f"{'sites':>6s} {'E(SCF)':>14s} {'E(2)':>12s} {'iter':>5s}")
    for n in args.sites:
        model = Polyene(n, args.hubbard, args.alternation)
        orbitals = solve_scf(team, model, args.tol)
        e2 = mp2_energy(team, model, orbitals)
        team.say(f"{n:6d} {orbitals.energy:14.6f} {e2:12.6f} {orbitals.iterations:5d}")


if __name__ == "__main__":
    main()
