"""2-D Ising model, one replica strip per rank, with periodic progress reports."""
import numpy as np
from mpi4py import MPI


class Strip:
    def __init__(self, comm, rows, cols, beta):
        self.comm = comm
        self.beta = beta
        self.rng = np.random.default_rng(100 + comm.rank)
        self.spins = self.rng.choice([-1, 1], size=(rows, cols))

    @property
    def n_total(self):
        return self.spins.size * self.comm.size

    def magnetisation(self):
        s = self.comm.allreduce(int(self.spins.sum()), op=MPI.SUM)
        return s / self.n_total

    def sweep(self):
        s = self.spins
        for parity in (0, 1):
            nb = (np.roll(s, 1, 0) + np.roll(s, -1, 0)
                  + np.roll(s, 1, 1) + np.roll(s, -1, 1))
            dE = 2 * s * nb
            ii, jj = np.indices(s.shape)
            accept = self.rng.random(s.shape) < np.exp(-self.beta * np.clip(dE, 0, None))
            flip = accept & ((ii + jj) % 2 == parity)
            s[flip] *= -1


class Reporter:
    def __init__(self, model, every):
        self.model = model
        self.every = every
        self.history = []

    def after_sweep(self, step):
        if step % self.every:
            return
        m = self.model.magnetisation()
        if self.model.comm.rank == 0:
            self.history.append(m)
            print(f"step {step:4d}  m = {m:+.4f}", flush=True)


def main(steps=40):
    comm = MPI.COMM_WORLD
    model = Strip(comm, 16, 16, beta=0.6)
    reporter = Reporter(model, every=10)
    for step in range(steps):
        model.sweep()
        reporter.after_sweep(step)
    final = abs(model.magnetisation())
    if comm.rank == 0:
        print(f"final |m| = {final:.4f}, {len(reporter.history)} reports")


if __name__ == "__main__":
    main()
