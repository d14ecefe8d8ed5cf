"""Standing wave on a string, ghost points exchanged through an RMA window."""
import argparse
import sys

from wavelab.config import WaveConfig
from wavelab.diagnostics import energy, exact_error
from wavelab.ghosts import EXCHANGES
from wavelab.line import Line
from wavelab.timing import Stopwatch
from wavelab.wave import WaveSolver


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--points", type=int, default=256)
    ap.add_argument("--steps", type=int, default=400)
    ap.add_argument("--mode", type=int, default=2)
    ap.add_argument("--exchange", choices=sorted(EXCHANGES), default="rma")
    a = ap.parse_args()
    cfg = WaveConfig(a.points, a.steps, a.mode)
    line = Line(cfg.points)
    watch = Stopwatch()
    with EXCHANGES[a.exchange](line) as exchange:
        solver = WaveSolver(line, cfg, exchange)
        e0 = energy(line, solver)
        with watch("steps"):
            for _ in range(cfg.steps):
                solver.advance()
        drift = abs(energy(line, solver) - e0) / e0
    error = exact_error(line, cfg, solver)
    if line.rank == 0:
        print(f"error {error:.3e}  energy drift {drift:.3e}  ({watch['steps']:.2f} s)")
    sys.exit(0 if error < 1e-9 else 1)


if __name__ == "__main__":
    main()
