"""A resonance on a falling continuum, and a simple acceptance."""
import numpy as np

M_LOW, M_HIGH = 60.0, 120.0
M_Z, GAMMA = 91.19, 2.495


def generate(job):
    rng = np.random.default_rng(job.seed)
    n_sig = rng.binomial(job.events, 0.8)
    signal = M_Z + 0.5 * GAMMA * rng.standard_cauchy(n_sig)
    background = M_LOW + rng.exponential(25.0, size=job.events - n_sig)
    mass = np.concatenate([signal, background])
    eta = rng.normal(scale=1.6, size=(2, mass.size))
    keep = (np.abs(eta) < 2.4).all(axis=0)
    return mass[keep] + rng.normal(scale=1.1, size=keep.sum())


def histogram(mass, bins):
    counts, _ = np.histogram(mass, bins=bins, range=(M_LOW, M_HIGH))
    return counts
