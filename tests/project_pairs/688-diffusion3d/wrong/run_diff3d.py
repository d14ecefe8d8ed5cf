"""Diffusion of a plane wave in a periodic box on a two-dimensional process grid."""
import argparse
import sys

from diff3d.config import BoxConfig
from diff3d.grid import ProcessGrid
from diff3d.halo import HaloExchange
from diff3d.report import Reporter
from diff3d.stepper import Stepper


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("-n", "--cells", type=int, default=48)
    ap.add_argument("--depth", type=int, default=96)
    ap.add_argument("--steps", type=int, default=40)
    ap.add_argument("--diffusivity", type=float, default=1.0)
    ap.add_argument("--quiet", action="store_true")
    a = ap.parse_args()
    cfg = BoxConfig(a.cells, a.cells, a.depth, a.steps, a.diffusivity)

    grid = ProcessGrid(cfg)
    halo = HaloExchange(grid)
    stepper = Stepper(grid, cfg, halo)
    reporter = Reporter(grid, cfg, enabled=not a.quiet)
    for step in range(1, cfg.steps + 1):
        stepper.advance()
        if step % 10 == 0 or step == cfg.steps:
            reporter.norms(step, stepper)
    error = reporter.error(cfg.steps, stepper)
    if grid.rank == 0:
        print(f"largest error against the exact mode: {error:.3e}")
    sys.exit(0 if error < 1e-10 else 1)


if __name__ == "__main__":
    main()
