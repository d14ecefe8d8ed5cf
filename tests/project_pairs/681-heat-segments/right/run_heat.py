"""Entry point: explicit heat equation on a plate, run as a chain of segments."""
import argparse
import logging
import os

from heatsim.checkpoint import CheckpointStore
from heatsim.config import HeatConfig
from heatsim.parallel import World
from heatsim.solver import HeatSolver
from heatsim.timers import Timers


def parse_args():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--nx", type=int, default=48)
    p.add_argument("--ny", type=int, default=40)
    p.add_argument("--steps", type=int, default=60)
    p.add_argument("--segment-steps", type=int, default=25,
                   help="steps per segment; a segment ends with a checkpoint")
    p.add_argument("--checkpoint", default="heat_state.npz")
    p.add_argument("--fresh", action="store_true",
                   help="ignore an existing checkpoint")
    return p.parse_args()


def run_segment(world, cfg, store, timers, log):
    """Advance by at most one segment. Returns True when the run is complete."""
    solver = HeatSolver(world, cfg)
    first = 0
    if store.available():
        with timers("restart"):
            first = store.load(solver)
        log.info("restarted at step %d, t=%.5f", first, solver.time)
    else:
        solver.set_initial_condition()

    last = min(first + cfg.segment_steps, cfg.steps)
    with timers("advance"):
        for _ in range(first, last):
            solver.advance()

    heat = solver.total_heat()
    log.info("segment %d..%d  heat=%.8f  max=%.6f", first, last, heat, solver.maximum())
    with timers("checkpoint"):
        store.save(solver, last)
    return last >= cfg.steps


def main():
    args = parse_args()
    world = World()
    logging.basicConfig(level=logging.INFO if world.is_root else logging.WARNING,
                        format="%(levelname)s %(name)s: %(message)s")
    log = logging.getLogger("heat")
    cfg = HeatConfig(nx=args.nx, ny=args.ny, steps=args.steps,
                     segment_steps=args.segment_steps)
    cfg.validate(world.size)

    store = CheckpointStore(world, args.checkpoint)
    if args.fresh:
        store.clear()
    timers = Timers()
    done = False
    while not done:
        done = run_segment(world, cfg, store, timers, log)
    for line in timers.report(world):
        log.info(line)
    if world.is_root and os.path.exists(args.checkpoint):
        log.info("final state in %s", args.checkpoint)


if __name__ == "__main__":
    main()
