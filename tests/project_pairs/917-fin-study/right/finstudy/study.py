"""Heat loss of fins over a table of materials and film coefficients."""
import argparse

import numpy as np
from mpi4py import MPI

from .cases import CaseBook
from .fin import FinSolver
from .teams import Team


def exact(case):
    m = np.sqrt(case.m2)
    return case.conductivity * case.thickness * m * (case.base - case.ambient) * np.tanh(m * case.length)


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--teams", type=int, default=2)
    parser.add_argument("--cells", type=int, default=60)
    args = parser.parse_args(argv)

    world = MPI.COMM_WORLD
    team = Team.split(world, args.teams)
    cases = team.share(lambda: CaseBook().share(team.number, team.teams))
    solver = FinSolver(team.comm, args.cells)
    results = [(case, *solver.solve(case)) for case in cases]

    collected = world.gather(results if team.is_leader else [], root=0)
    if world.rank == 0:
        rows = sorted((row for part in collected for row in part), key=lambda row: row[0].number)
        for case, loss, sweeps in rows:
            print(f"case {case.number}: k={case.conductivity:6.1f} h={case.film:5.1f} "
                  f"loss={loss:9.4f} exact={exact(case):9.4f} sweeps={sweeps}")
    team.close()
