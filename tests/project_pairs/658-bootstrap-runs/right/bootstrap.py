import numpy as np
from mpi4py import MPI

from bvalue import b_value, catalogue, replicate
from settings import Settings


class Bootstrap:
    def __init__(self, cfg, comm):
        self.cfg, self.comm = cfg, comm
        self.mags = catalogue(cfg.sample, cfg.seed)
        cfg.folder.mkdir(parents=True, exist_ok=True)

    def part(self, rank):
        return self.cfg.folder / f"part_{rank:04d}.npy"

    def compute(self):
        ks = range(self.comm.rank, self.cfg.replicates, self.comm.size)
        vals = np.array([replicate(self.mags, self.cfg.seed, k) for k in ks])
        np.save(self.part(self.comm.rank), vals)
        self.comm.Barrier()

    def merge(self):
        if self.comm.rank != 0:
            return None
        vals = np.concatenate([np.load(self.part(r)) for r in range(self.comm.size)])
        np.save(self.cfg.folder / "b_values.npy", np.sort(vals))
        for r in range(self.comm.size):
            self.part(r).unlink()
        self.cfg.dump()
        return vals


def main():
    comm = MPI.COMM_WORLD
    cfg = comm.bcast(Settings.parse() if comm.rank == 0 else None, root=0)
    boot = Bootstrap(cfg, comm)
    boot.compute()
    vals = boot.merge()
    if vals is not None:
        lo, hi = np.percentile(vals, [2.5, 97.5])
        print(f"run {cfg.run_id}: b = {b_value(boot.mags):.3f}  [{lo:.3f}, {hi:.3f}]  "
              f"({vals.size} replicates)")


if __name__ == "__main__":
    main()
