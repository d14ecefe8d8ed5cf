"""Synchronous data parallel training of a tiny network."""
from mpi4py import MPI

from net import TinyNet, make_data


class Trainer:
    def __init__(self, comm, hidden, lr):
        self.comm = comm
        self.lr = lr
        self.net = TinyNet(hidden)
        self.sync_initial()

    def sync_initial(self):
        state = self.net.state()
        state = self.comm.bcast(state, root=0)
        self.net.load(state)

    def step(self, x, y):
        loss, grads = self.net.loss_and_grads(x, y)
        for name in sorted(grads):
            self.comm.Allreduce(MPI.IN_PLACE, grads[name], op=MPI.SUM)
            grads[name] /= self.comm.size
        self.net.apply(grads, self.lr)
        return self.comm.allreduce(loss, op=MPI.SUM) / self.comm.size


def main():
    comm = MPI.COMM_WORLD
    trainer = Trainer(comm, hidden=8, lr=0.1)
    x, y = make_data(64, seed=comm.rank)
    for epoch in range(50):
        loss = trainer.step(x, y)
    sums = comm.gather(trainer.net.checksum(), root=0)
    if comm.rank == 0:
        print("loss %.5f" % loss, "spread of weights %.3e" % (max(sums) - min(sums)))
        assert max(sums) == min(sums), "replicas differ"


if __name__ == "__main__":
    main()
