"""Hierarchical all-reduce: inside a team first, then among team leaders."""
import numpy as np
from mpi4py import MPI


class Hierarchy:
    def __init__(self, comm, team_size):
        self.world = comm
        self.team = comm.Split(comm.rank // team_size, comm.rank)
        self.is_leader = self.team.rank == 0
        self.leaders = None
        if self.is_leader:
            self.leaders = self._leader_comm(team_size)

    def _leader_comm(self, team_size):
        world_group = self.world.Get_group()
        members = list(range(0, self.world.size, team_size))
        group = world_group.Incl(members)
        comm = self.world.Create_group(group, tag=77)
        group.Free()
        world_group.Free()
        return comm

    def allreduce(self, x):
        partial = np.empty_like(x)
        self.team.Reduce(x, partial if self.is_leader else None, op=MPI.SUM, root=0)
        if self.is_leader:
            self.leaders.Allreduce(MPI.IN_PLACE, partial, op=MPI.SUM)
        self.team.Bcast(partial, root=0)
        return partial

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        if self.leaders is not None:
            self.leaders.Free()
        self.team.Free()


def gradient_step(h, w, x, y, lr):
    err = x @ w - y
    g = h.allreduce(x.T @ err)
    n = h.allreduce(np.array([float(len(y))]))
    return w - lr * g / n[0]


def main():
    comm = MPI.COMM_WORLD
    truth = np.array([1.0, -2.0, 0.5])
    rng = np.random.default_rng(comm.rank)
    x = rng.normal(size=(200, 3))
    y = x @ truth
    with Hierarchy(comm, team_size=2) as h:
        w = np.zeros(3)
        for _ in range(60):
            w = gradient_step(h, w, x, y, lr=0.3)
    if comm.rank == 0:
        print("weights", np.round(w, 4), "error %.1e" % np.abs(w - truth).max())


if __name__ == "__main__":
    main()
