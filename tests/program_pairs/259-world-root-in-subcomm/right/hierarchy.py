class Teams:
    """Neighbouring ranks form teams; the first rank of a team leads it."""

    def __init__(self, world, per_team):
        self.world = world
        self.number = world.rank // per_team
        self.total = -(-world.size // per_team)
        self.leader = self.number * per_team
        self.comm = world.Split(color=self.number, key=world.rank)

    @property
    def is_leader(self):
        return self.world.rank == self.leader

    def share(self, value):
        return self.comm.bcast(value, root=0)
