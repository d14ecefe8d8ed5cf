import numpy as np
from mpi4py import MPI

from hierarchy import Teams


def local_problem(seed, n=20):
    rng = np.random.default_rng(seed)
    a = rng.normal(size=(n, n)) + n * np.eye(n)
    return a


def solve(teams):
    """Each team solves its own system, rows spread over its members."""
    a = None
    if teams.is_leader:
        a = local_problem(teams.number)
    a = teams.share(a)
    n = a.shape[0]
    rows = range(teams.comm.rank, n, teams.comm.size)
    x = np.zeros(n)
    for _ in range(50):
        new = np.zeros(n)
        for i in rows:
            new[i] = (1.0 - a[i] @ x + a[i, i] * x[i]) / a[i, i]
        teams.comm.Allreduce(new, x, op=MPI.SUM)
    return np.abs(a @ x - 1.0).max()


if __name__ == "__main__":
    world = MPI.COMM_WORLD
    teams = Teams(world, per_team=2)
    worst = world.reduce(solve(teams), op=MPI.MAX, root=0)
    if world.rank == 0:
        print("teams:", teams.total, "worst residual: %.1e" % worst)
        assert worst < 1e-8
