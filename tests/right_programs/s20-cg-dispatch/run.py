from functools import reduce
from operator import add

import numpy as np
from mpi4py import MPI

from krylov import Solver, Stagnation
from operators import Operator, Preconditioner

RECIPES = {
    "stiff": {"laplace": 40.0, "mass": 0.01},
    "mixed": {"mass": 1.0, "laplace": 1.0, "rank-one": 25.0},
    "plain": {"laplace": 1.0},
    "broken": {"mass": -1.0, "laplace": 0.1},
}


def build(comm, n, recipe):
    return reduce(add, (Operator.kinds[kind](comm, n, s) for kind, s in recipe.items()))


def solve(comm, n, recipe):
    operator = build(comm, n, recipe)
    b = np.sin(0.3 * np.arange(n) + 1.0)[operator.here]
    solver = Solver(operator, Preconditioner(operator))
    try:
        report = solver(b)
    except Stagnation as exc:
        return None, str(exc).split()[0]
    assert solver.defect(report.x, b) < 1e-7
    whole = np.empty(n)
    comm.Allgatherv(report.x, [whole, operator.sizes])
    return whole, report.iterations


def main(n=50):
    comm = MPI.COMM_WORLD
    for name, recipe in RECIPES.items():
        whole, note = solve(comm, n, recipe)
        alone, alone_note = solve(MPI.COMM_SELF, n, recipe)
        match whole:
            case None:
                assert alone is None and note == alone_note == "curvature"
            case _:
                assert np.allclose(whole, alone, rtol=1e-6) and abs(note - alone_note) <= 2
        if comm.rank == 0:
            print(name, note if whole is None else f"{whole.sum():.6f}")


if __name__ == "__main__":
    main()
