"""Track surface drifters through a double gyre on a strip decomposition."""
import argparse
import logging
import sys

from drift.config import load_config
from drift.field import DoubleGyre
from drift.migrate import MIGRATORS
from drift.particles import ParticleSet
from drift.strips import Strips
from drift.writer import Trajectories


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    args = ap.parse_args()
    cfg = load_config(args.set)
    strips = Strips(cfg["width"])
    logging.basicConfig(stream=sys.stdout, format="%(message)s",
                        level=logging.INFO if strips.rank == 0 else logging.WARNING)
    log = logging.getLogger("drift")

    flow = DoubleGyre(cfg)
    parts = ParticleSet.release(strips, cfg)
    migrate = MIGRATORS[cfg["migrator"]](strips)
    out = Trajectories(strips, cfg["record"])
    for step in range(1, cfg["steps"] + 1):
        parts.push(flow, (step - 1) * cfg["dt"], cfg["dt"])
        migrate(parts)
        if step % cfg["report"] == 0:
            n, mx, my = strips.sum([parts.n, *parts.moment()])
            log.info("step %3d  drifters %d  centre %.6f %.6f", step, n, mx / n, my / n)
        out.append(step, parts)
    out.close()
    if strips.sum([parts.n])[0] != cfg["drifters"]:
        raise SystemExit("drifters were lost")


if __name__ == "__main__":
    main()
