import numpy as np


def energy(line, solver):
    """Amplitude invariant of a single discrete mode."""
    theta = solver.cfg.angle
    a, b = solver.u[1:-1], solver.old[1:-1]
    local = float((a * a - 2.0 * a * b * np.cos(theta) + b * b).sum())
    return line.sum(local)


def exact_error(line, cfg, solver):
    exact = solver.shape * np.cos(cfg.angle * cfg.steps)
    return line.max(float(np.abs(solver.u[1:-1] - exact).max()))
