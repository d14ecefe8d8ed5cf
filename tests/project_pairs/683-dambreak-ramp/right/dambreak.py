"""1-D dam break with the shallow water equations."""
import argparse
import sys

from swe.config import Config
from swe.domain import Domain
from swe.integrators import INTEGRATORS
from swe.model import ShallowWater
from swe.output import HistoryWriter


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--cells", type=int, default=240)
    ap.add_argument("--t-end", type=float, default=0.6)
    ap.add_argument("--cfl", type=float, default=0.45)
    ap.add_argument("--integrator", choices=sorted(INTEGRATORS), default="ramped")
    ap.add_argument("--ramp-steps", type=int, default=20)
    ap.add_argument("--history", default="")
    return Config.from_namespace(ap.parse_args())


def main():
    cfg = parse()
    domain = Domain(cfg.cells, cfg.length)
    model = ShallowWater(domain, cfg)
    integrator = INTEGRATORS[cfg.integrator](model, cfg)
    with HistoryWriter(domain, cfg.history) as history:
        while integrator.time < cfg.t_end - 1e-12:
            dt = integrator.step()
            history.record(integrator.time, dt, model)
    mass = domain.global_sum(model.mass())
    front = domain.global_max(model.front())
    if domain.root:
        print(f"steps={integrator.nsteps} t={integrator.time:.6f} "
              f"mass={mass:.10f} front={front:.5f}")
        if abs(mass - cfg.initial_mass()) > 1e-9:
            print("mass is not conserved", file=sys.stderr)
            domain.comm.Abort(2)


if __name__ == "__main__":
    main()
