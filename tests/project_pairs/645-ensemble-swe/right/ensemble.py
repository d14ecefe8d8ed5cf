import sys
from dataclasses import dataclass

import numpy as np
from mpi4py import MPI

from member import ShallowWaterMember


@dataclass
class EnsembleConfig:
    members: int = 2
    nx: int = 256
    steps: int = 300
    depth_mean: float = 60.0
    depth_spread: float = 30.0


class Ensemble:
    def __init__(self, cfg, world):
        self.cfg = cfg
        self.world = world
        self.nmem = min(cfg.members, world.size)
        self.index = world.rank * self.nmem // world.size
        self.comm = world.Split(color=self.index, key=world.rank)
        self.is_lead = self.comm.rank == 0
        self.leads = world.Split(0 if self.is_lead else MPI.UNDEFINED, world.rank)

    def depth(self):
        d = np.linspace(-1, 1, self.nmem) if self.nmem > 1 else np.zeros(1)
        return self.cfg.depth_mean + self.cfg.depth_spread * float(d[self.index])

    def run(self):
        amplitude = 1.0 + 0.5 * self.index
        member = ShallowWaterMember(self.comm, self.cfg.nx, self.depth(), amplitude)
        before = member.energy()
        member.run(self.cfg.steps)
        diag = member.diagnostics()
        diag["drift"] = diag["energy"] / before - 1.0
        if self.leads == MPI.COMM_NULL:
            return None
        return self.leads.gather(diag, root=0)

    def close(self):
        if self.leads != MPI.COMM_NULL:
            self.leads.Free()
        self.comm.Free()


def report(rows, file=sys.stdout):
    print("member   depth        energy     crest     drift", file=file)
    for k, r in enumerate(rows):
        print(f"{k:6d} {r['depth']:7.1f} {r['energy']:13.5e} {r['crest']:9.4f} "
              f"{r['drift']:9.2e}", file=file)
    e = np.array([r["energy"] for r in rows])
    print(f"ensemble mean energy {e.mean():.5e}, spread {e.std():.3e}", file=file)


if __name__ == "__main__":
    world = MPI.COMM_WORLD
    ens = Ensemble(EnsembleConfig(), world)
    rows = ens.run()
    if world.rank == 0:
        report(rows)
        with open("ensemble.txt", "w") as fh:
            report(rows, fh)
    ens.close()
