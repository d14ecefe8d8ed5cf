"""Teams of processes; each team simulates one temperature."""
from mpi4py import MPI


class Team:
    def __init__(self, world, width):
        self.world = world
        self.width = width
        self.number = world.rank // width
        self.count = world.size // width
        self.comm = world.Split(color=self.number, key=world.rank)

    @property
    def leads(self):
        return self.comm.rank == 0

    def leader_of(self, number):
        return number * self.width

    def opponent(self, turn):
        """Number of the team to trade with in this turn, or None."""
        shift = 1 if (self.number + turn) % 2 == 0 else -1
        other = self.number + shift
        return other if 0 <= other < self.count else None

    def trade(self, turn, mine):
        """What the opponent's leader offered; known to the whole team."""
        other = self.opponent(turn)
        if other is None:
            return None
        theirs = None
        if self.leads:
            peer = self.leader_of(other)
            theirs = self.world.sendrecv(mine, dest=peer, sendtag=turn,
                                         source=peer, recvtag=turn)
        return self.comm.bcast(theirs, root=0)

    def total(self, value):
        return self.comm.allreduce(value, op=MPI.SUM)

    def close(self):
        self.comm.Free()
