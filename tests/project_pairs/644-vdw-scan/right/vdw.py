"""Reduced van der Waals fluid: liquid-vapour coexistence by Maxwell construction."""
import numpy as np
from scipy.optimize import brentq


def pressure(v, t):
    return 8.0 * t / (3.0 * v - 1.0) - 3.0 / v**2


def spinodal(t):
    """Volumes of the pressure extrema, ordered."""
    f = lambda v: 4.0 * t * v**3 - (3.0 * v - 1.0) ** 2
    v1 = brentq(f, 1.0 / 3.0 + 1e-9, 1.0)
    v2 = brentq(f, 1.0, 100.0)
    return v1, v2


def work(va, vb, t):
    prim = lambda v: 8.0 * t / 3.0 * np.log(3.0 * v - 1.0) + 3.0 / v
    return prim(vb) - prim(va)


def coexistence(t):
    v1, v2 = spinodal(t)
    p_lo = max(pressure(v1, t), 1e-6)
    p_hi = pressure(v2, t)

    def branch(p):
        liquid = brentq(lambda v: pressure(v, t) - p, 1.0 / 3.0 + 1e-9, v1)
        vapour = brentq(lambda v: pressure(v, t) - p, v2, 1e6)
        return liquid, vapour

    def unequal_area(p):
        vl, vg = branch(p)
        return work(vl, vg, t) - p * (vg - vl)

    eps = 1e-9 * p_hi
    p = brentq(unequal_area, p_lo + eps, p_hi - eps)
    vl, vg = branch(p)
    return {"t": t, "p": p, "rho_l": 1.0 / vl, "rho_g": 1.0 / vg}
