"""Teams of processes that work on one case together."""
from dataclasses import dataclass

from mpi4py import MPI


@dataclass
class Team:
    world: MPI.Comm
    comm: MPI.Comm
    number: int
    teams: int

    @classmethod
    def split(cls, world, teams):
        """Deal the processes round robin, so that teams span the nodes."""
        if world.size < teams:
            raise ValueError("fewer processes than teams")
        number = world.rank % teams
        return cls(world, world.Split(number, key=world.rank), number, teams)

    @property
    def leader(self):
        """World rank of the first member."""
        return self.number

    @property
    def is_leader(self):
        return self.world.rank == self.leader

    def share(self, make):
        """What make() gives on the leader, on every member."""
        value = make() if self.is_leader else None
        return self.comm.bcast(value, root=0)

    def close(self):
        self.comm.Free()
