import argparse

import numpy as np
from mpi4py import MPI

import registry


class DecayingVorticity:
    """Viscous decay of a random vorticity field, rows split over ranks."""

    def __init__(self, comm, n=64, nu=0.15, seed=8):
        self.comm, self.nu = comm, nu
        full = np.random.default_rng(seed).normal(size=(n, n))
        self.w = np.array_split(full, comm.size)[comm.rank].copy()
        self.up = (comm.rank - 1) % comm.size
        self.down = (comm.rank + 1) % comm.size

    def step(self):
        w = self.w
        top, bottom = np.empty_like(w[0]), np.empty_like(w[0])
        self.comm.Sendrecv(w[-1], self.down, 1, recvbuf=top, source=self.up, recvtag=1)
        self.comm.Sendrecv(w[0], self.up, 2, recvbuf=bottom, source=self.down, recvtag=2)
        p = np.vstack([top, w, bottom])
        self.w = w + self.nu * (p[2:] + p[:-2] + np.roll(w, 1, 1) + np.roll(w, -1, 1) - 4 * w)


class InSitu:
    def __init__(self, comm, names):
        self.comm = comm
        self.names = registry.resolve(names)
        self.table = []

    def __call__(self, step, field):
        row = {"step": step}
        for name in self.names:
            row[name] = float(registry.get(name)(self.comm, field))
        self.table.append(row)
        return row

    def dump(self, path):
        if self.comm.rank != 0:
            return
        cols = ["step"] + sorted(self.names)
        with open(path, "w") as fh:
            fh.write(",".join(cols) + "\n")
            for row in self.table:
                fh.write(",".join(f"{row[c]:.8g}" for c in cols) + "\n")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=40)
    ap.add_argument("--plugins", default="spectral_plugins")
    ap.add_argument("--diag", nargs="+", default=["palinstrophy", "peak", "skewness"])
    args = ap.parse_args()

    registry.load(args.plugins)
    comm = MPI.COMM_WORLD
    sim = DecayingVorticity(comm)
    insitu = InSitu(comm, args.diag)
    for step in range(args.steps):
        if step % 10 == 0:
            row = insitu(step, sim.w)
            if comm.rank == 0:
                print("  ".join(f"{k}={row[k]:.5g}" for k in sorted(row)), flush=True)
        sim.step()
    insitu.dump("insitu.csv")


if __name__ == "__main__":
    main()
