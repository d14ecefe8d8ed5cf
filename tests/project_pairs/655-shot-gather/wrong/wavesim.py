"""2-D acoustic shots; single precision as in the field data."""
import numpy as np


def ricker(t, f0):
    a = (np.pi * f0 * (t - 1.2 / f0)) ** 2
    return (1 - 2 * a) * np.exp(-a)


def layered_model(nz, nx):
    v = np.full((nz, nx), 1500.0, np.float32)
    v[nz // 3:] = 2200.0
    v[2 * nz // 3:] = 3000.0
    return v


def shot_record(v, sx, nt, dt, dx, f0=12.0):
    """Surface trace next to the source, nt samples."""
    c2 = (v * dt / dx) ** 2
    now, old = np.zeros_like(v), np.zeros_like(v)
    trace = np.empty(nt, np.float32)
    wavelet = ricker(np.arange(nt) * dt, f0).astype(np.float32)
    for it in range(nt):
        lap = -4 * now
        lap[1:] += now[:-1]
        lap[:-1] += now[1:]
        lap[:, 1:] += now[:, :-1]
        lap[:, :-1] += now[:, 1:]
        new = 2 * now - old + c2 * lap
        new[2, sx] += wavelet[it]
        trace[it] = new[2, min(sx + 2, v.shape[1] - 1)]
        old, now = now, new
    return trace
