"""Air columns of one rank and their chemistry."""
import numpy as np


class Columns:
    start = {"NO2": 1.0, "NO": 0.6, "O3": 0.9, "CO": 2.0, "CH4": 5.0, "OH": 0.05, "HCHO": 0.2}

    def __init__(self, mechanism, first, last, total):
        self.mech = mechanism
        x = (np.arange(first, last) + 0.5) / total
        shape = np.exp(-((x - 0.4) / 0.2) ** 2)
        self.c = np.zeros((len(mechanism.index), last - first))
        for name, value in self.start.items():
            self.c[mechanism.index[name]] = value * (0.1 + shape)

    def tendency(self, c):
        out = np.zeros_like(c)
        for r in self.mech.reactions:
            speed = np.full(c.shape[1], r.rate)
            for name, order in r.reactants.items():
                speed = speed * c[self.mech.index[name]] ** order
            for name, n in r.reactants.items():
                out[self.mech.index[name]] -= n * speed
            for name, n in r.products.items():
                out[self.mech.index[name]] += n * speed
        for name in self.mech.inert:
            out[self.mech.index[name]] = 0.0
        return out

    def advance(self, dt):
        half = self.c + 0.5 * dt * self.tendency(self.c)
        self.c = self.c + dt * self.tendency(half)

    def __getitem__(self, name):
        return self.c[self.mech.index[name]]
