from mpi4py import MPI


class TeamMember:
    """Mixin for objects that are spread over one team of processes.

    The processes of ``world`` are cut into teams of ``team_size``.  The first
    process of each team leads it; the leaders share a communicator.
    """

    def __init__(self, world, team_size):
        if world.size % team_size:
            raise ValueError("the world must consist of whole teams")
        self.team = world.rank // team_size
        self.num_teams = world.size // team_size
        self.comm = world.Split(color=self.team, key=world.rank)
        self.member = self.comm.rank
        self.members = self.comm.size
        self.is_leader = self.member == 0
        self.leaders = world.Split(color=0 if self.is_leader else MPI.UNDEFINED, key=self.team)

    def from_leader(self, value=None):
        return self.comm.bcast(value, root=0)

    def team_sum(self, value):
        return self.comm.allreduce(value, op=MPI.SUM)
