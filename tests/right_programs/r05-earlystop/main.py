"""Fit with early stopping: rank 0 holds the validation set and decides."""
import numpy as np
from mpi4py import MPI

from stopper import EarlyStopper, TimeBudget

N_LOCAL, DIM = 120, 6
MAX_EPOCHS = 400


class Solver:
    def __init__(self, comm, seed):
        self.comm = comm
        child = np.random.SeedSequence(seed).spawn(comm.size)[comm.rank]
        rng = np.random.default_rng(child)
        common = np.random.default_rng(seed)        # same stream on all ranks
        self.truth = common.normal(size=DIM)
        self.a = rng.normal(size=(N_LOCAL, DIM))
        self.b = self.a @ self.truth + 0.05 * rng.normal(size=N_LOCAL)
        self.x = np.zeros(DIM)

    def epoch(self, lr=0.2):
        g = self.a.T @ (self.a @ self.x - self.b)
        self.comm.Allreduce(MPI.IN_PLACE, g)
        self.x = self.x - lr * g / (N_LOCAL * self.comm.size)


def validation_set(truth):
    rng = np.random.default_rng(99)
    a = rng.normal(size=(200, DIM))
    return a, a @ truth + 0.05 * rng.normal(size=200)


def main():
    comm = MPI.COMM_WORLD
    solver = Solver(comm, seed=2024)
    stopper = budget = None
    if comm.rank == 0:
        val_a, val_b = validation_set(solver.truth)
        stopper = EarlyStopper(patience=3, min_delta=1e-6)
        budget = TimeBudget(seconds=30.0)

    best = None
    epoch = 0
    while True:
        solver.epoch()
        verdict = None
        if comm.rank == 0:
            loss = float(np.mean((val_a @ solver.x - val_b) ** 2))
            stopper.update(loss, solver.x)
            verdict = stopper.exhausted() or budget.spent() or epoch + 1 >= MAX_EPOCHS
        verdict = comm.bcast(verdict, root=0)
        epoch += 1
        if verdict:
            break

    if comm.rank == 0:
        best = stopper.best_x
        why = "patience" if stopper.exhausted() else "limit"
    best = comm.bcast(best, root=0)

    counts = comm.allgather(epoch)
    assert len(set(counts)) == 1, counts
    assert np.linalg.norm(best - solver.truth) < 0.1
    # normal equations of the whole system, put together on all ranks
    ata, atb = solver.a.T @ solver.a, solver.a.T @ solver.b
    comm.Allreduce(MPI.IN_PLACE, ata)
    comm.Allreduce(MPI.IN_PLACE, atb)
    exact = np.linalg.solve(ata, atb)
    assert np.linalg.norm(solver.x - exact) < 5e-2
    if comm.rank == 0:
        print(f"stopped after {epoch} epochs ({why}), loss {stopper.best:.6f}")


if __name__ == "__main__":
    main()
