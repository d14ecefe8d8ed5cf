import time

import numpy as np


class ReactorSolver:
    def __init__(self, cfg, domain):
        self.cfg = cfg
        self.dom = domain
        self.c = domain.zeros()
        self.iterations = 0
        self.elapsed = 0.0

    def _boundaries(self):
        cfg = self.cfg
        self.dom.fill_ghosts(self.c)
        if self.dom.is_inlet:
            self.c[0] = cfg.inlet
        if self.dom.is_outlet:
            self.c[-1] = self.c[-2]

    def _step(self):
        cfg, c = self.cfg, self.c
        self._boundaries()
        adv = -cfg.velocity * (c[1:-1] - c[:-2]) / cfg.dx
        dif = cfg.dispersion * (c[2:] - 2.0 * c[1:-1] + c[:-2]) / cfg.dx**2
        change = cfg.dt * (adv + dif - cfg.rate * c[1:-1])
        c[1:-1] += change
        return np.abs(change).max() / cfg.dt

    def conversion(self):
        last = self.c[-2] if self.dom.is_outlet else 0.0
        return 1.0 - self.dom.sum_all(last) / self.cfg.inlet

    def march(self):
        """Pseudo-time marching until the rate of change drops below tol."""
        cfg = self.cfg
        t0 = time.perf_counter()
        for it in range(1, cfg.max_iter + 1):
            residual = self.dom.max_all(self._step())
            if self.dom.rank == 0 and it % cfg.report == 0:
                print(f"  iter {it:6d}   residual {residual:.3e}", flush=True)
            if residual < cfg.tol:
                break
        self.iterations = it
        self.elapsed = time.perf_counter() - t0
        return residual
