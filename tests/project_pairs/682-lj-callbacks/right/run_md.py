"""Lennard-Jones fluid with replicated positions and split force work."""
import logging
import sys

from ljmd.callbacks import build_callbacks
from ljmd.engine import Engine
from ljmd.parallel import Dist
from ljmd.settings import DEFAULTS, merge
from ljmd.system import make_lattice


def main(argv):
    overrides = dict(item.split("=", 1) for item in argv)
    cfg = merge(DEFAULTS, overrides)
    dist = Dist()
    logging.basicConfig(stream=sys.stdout, format="%(message)s",
                        level=logging.INFO if dist.is_main else logging.ERROR)
    log = logging.getLogger("ljmd")
    system = make_lattice(cfg["n_side"], cfg["density"], cfg["temperature"], cfg["seed"])
    engine = Engine(system, dist, cfg, build_callbacks(cfg["callbacks"], cfg))
    log.info("%d atoms on %d ranks, box %.3f", system.n, dist.size, system.box)
    steps = engine.run(cfg["steps"])
    energy = engine.total_energy()
    log.info("stopped after %d steps: E=%.6f T=%.4f", steps, energy, engine.temperature())


if __name__ == "__main__":
    main(sys.argv[1:])
