"""Splits the world into teams that each work on one ensemble member at a time."""
from contextlib import contextmanager

from mpi4py import MPI


class Team:
    def __init__(self, world, ranks_per_team):
        if world.size % ranks_per_team:
            raise ValueError("world size must be a multiple of the team size")
        self.world = world
        self.index = world.rank // ranks_per_team
        self.count = world.size // ranks_per_team
        self.comm = world.Split(color=self.index, key=world.rank)

    @property
    def is_leader(self):
        return self.comm.rank == 0

    def free(self):
        self.comm.Free()


@contextmanager
def team(world, ranks_per_team):
    t = Team(world, ranks_per_team)
    try:
        yield t
    finally:
        t.free()
