class RunContext:
    """What the steps need to know about the job."""

    def __init__(self, comm, root=0):
        self.comm = comm
        self.root = root

    @property
    def main(self):
        return self.comm.rank == self.root

    def mine(self, names):
        return list(names)[self.comm.rank::self.comm.size]

    def say(self, *args):
        if self.main:
            print(*args, flush=True)
