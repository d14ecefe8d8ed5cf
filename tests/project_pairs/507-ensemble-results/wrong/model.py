"""Lotka-Volterra members of a parameter study, RK4 in time."""
import numpy as np


class Member:
    def __init__(self, index, alpha, beta, gamma=1.5, delta=1.0):
        self.index = index
        self.params = (alpha, beta, gamma, delta)

    def rhs(self, y):
        a, b, g, d = self.params
        prey, pred = y
        return np.array([a * prey - b * prey * pred, d * prey * pred - g * pred])

    def integrate(self, t_end, dt, y0=(1.0, 1.0)):
        y = np.array(y0, dtype=float)
        n = int(round(t_end / dt))
        track = np.empty((n + 1, 2))
        track[0] = y
        for i in range(n):
            k1 = self.rhs(y)
            k2 = self.rhs(y + 0.5 * dt * k1)
            k3 = self.rhs(y + 0.5 * dt * k2)
            k4 = self.rhs(y + dt * k3)
            y = y + dt * (k1 + 2 * k2 + 2 * k3 + k4) / 6.0
            track[i + 1] = y
        return track

    def summarise(self, track):
        return {
            "member": self.index,
            "alpha": round(self.params[0], 4),
            "beta": round(self.params[1], 4),
            "prey_max": round(float(track[:, 0].max()), 5),
            "pred_max": round(float(track[:, 1].max()), 5),
            "prey_mean": round(float(track[:, 0].mean()), 5),
        }
