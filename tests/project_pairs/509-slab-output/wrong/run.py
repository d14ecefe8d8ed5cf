from dataclasses import dataclass

import numpy as np
from mpi4py import MPI

from ocean import RunDirectory, ShallowWater, SlabWriter, stitch


@dataclass
class Options:
    nx: int = 480
    depth: float = 100.0
    length: float = 2.0e5
    cfl: float = 0.5
    steps: int = 400
    every: int = 100
    base: str = "runs"


def simulate(model, opt, writers):
    dt = model.dt(opt.cfl)
    for k in range(opt.steps):
        if k % opt.every == 0:
            for w in writers:
                w(model)
        model.step(dt)
    for w in writers:
        w(model)


def main(opt=Options()):
    comm = MPI.COMM_WORLD
    model = ShallowWater(comm, opt.nx, opt.depth, opt.length)
    rundir = RunDirectory(comm, opt.base)
    writer = SlabWriter(rundir)

    before = model.volume()
    simulate(model, opt, [writer])
    after = model.volume()
    comm.Barrier()

    if comm.rank == 0:
        print(f"volume {before:.3f} -> {after:.3f}")
        for s in range(writer.count):
            h = stitch(rundir, s)
            print(f"snapshot {s}: {h.size} points, max {h.max():.5f} "
                  f"at {np.argmax(h) * model.dx / 1e3:.1f} km")


if __name__ == "__main__":
    main()
