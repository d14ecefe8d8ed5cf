import numpy as np


class SlabTransport:
    def __init__(self, layers):
        self.edges = np.concatenate([[0.0], np.cumsum([l.thickness for l in layers])])
        self.sigma = np.array([l.sigma_t for l in layers])
        self.absorb = np.array([l.absorption for l in layers])
        self.depth = float(self.edges[-1])
        self.sigma_max = float(self.sigma.max())

    def run_batch(self, n, rng, bins):
        """Delta tracking of n photons; returns transmitted, reflected, absorption profile."""
        x = np.zeros(n)
        mu = np.ones(n)
        transmitted = reflected = 0
        profile = np.zeros(bins)
        while x.size:
            x = x - mu * np.log(rng.random(x.size)) / self.sigma_max
            out_far = x >= self.depth
            out_near = x < 0.0
            transmitted += int(out_far.sum())
            reflected += int(out_near.sum())
            inside = ~(out_far | out_near)
            x, mu = x[inside], mu[inside]
            region = np.searchsorted(self.edges, x, side="right") - 1
            real = rng.random(x.size) < self.sigma[region] / self.sigma_max
            dead = real & (rng.random(x.size) < self.absorb[region])
            profile += np.histogram(x[dead], bins=bins, range=(0.0, self.depth))[0]
            mu = np.where(real, rng.uniform(-1.0, 1.0, x.size), mu)
            x, mu = x[~dead], mu[~dead]
        return transmitted, reflected, profile
