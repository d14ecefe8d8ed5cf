import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()


def validation_loss(epoch, rng):
    return 1.0 / (1 + epoch) + 0.02 * abs(rng.normal())


def train(patience=4, limit=40):
    rng = np.random.default_rng(rank)
    best, waited, history = float("inf"), 0, []
    for epoch in range(limit):
        loss = validation_loss(epoch, rng)
        comm.allreduce(loss, op=MPI.SUM)
        loss /= comm.size
        history.append(loss)
        if loss < best:
            best, waited = loss, 0
        else:
            waited += 1
        if waited >= patience:
            break
    return best, history


best, history = train()
bests = comm.gather(best, root=0)
if rank == 0:
    print("epochs:", len(history))
    print("one best loss:", len(set(bests)) == 1)
    print("in range:", 0.0 < best < 0.3)
