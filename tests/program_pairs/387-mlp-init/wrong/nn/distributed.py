from mpi4py import MPI


class DistributedOptimizer:
    """SGD with momentum on averaged gradients."""

    def __init__(self, net, comm, lr=0.05, momentum=0.9):
        self.net, self.comm = net, comm
        self.lr, self.momentum = lr, momentum
        self.velocity = [0 * p for p in net.parameters()]

    def sync_parameters(self):
        for p in self.net.parameters():
            self.comm.Bcast(p, root=0)

    def step(self):
        for p, g, v in zip(self.net.parameters(), self.net.gradients(), self.velocity):
            self.comm.Allreduce(MPI.IN_PLACE, g, op=MPI.SUM)
            g /= self.comm.size
            v *= self.momentum
            v -= self.lr * g
            p += v
