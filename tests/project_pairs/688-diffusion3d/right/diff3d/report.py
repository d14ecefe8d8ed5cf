import numpy as np


class Reporter:
    def __init__(self, grid, cfg, enabled=True):
        self.grid = grid
        self.cfg = cfg
        self.enabled = enabled

    def norms(self, step, stepper):
        if not self.enabled:
            return
        l2 = np.sqrt(self.grid.sum(float((stepper.inner ** 2).sum())))
        top = self.grid.max(float(np.abs(stepper.inner).max()))
        if self.grid.rank == 0:
            print(f"step {step:4d}  l2 {l2:.8f}  max {top:.8f}", flush=True)

    def error(self, step, stepper):
        exact = stepper.start * self.cfg.growth() ** step
        return self.grid.max(float(np.abs(stepper.inner - exact).max()))
