import numpy as np


class DoubleGyre:
    def __init__(self, cfg):
        self.a = cfg["amplitude"]
        self.eps = cfg["epsilon"]
        self.omega = 2.0 * np.pi / cfg["period"]
        self.width, self.height = cfg["width"], cfg["height"]

    def velocity(self, x, y, t):
        s = self.eps * np.sin(self.omega * t)
        xs, ys = 2.0 * x / self.width, y / self.height
        f = s * xs ** 2 + (1.0 - 2.0 * s) * xs
        df = 2.0 * s * xs + 1.0 - 2.0 * s
        u = -np.pi * self.a * np.sin(np.pi * f) * np.cos(np.pi * ys)
        v = np.pi * self.a * np.cos(np.pi * f) * np.sin(np.pi * ys) * df
        return u, v
