import numpy as np


class MeanderingJet:
    def __init__(self, length, u0=1.0, amp=0.25, modes=2):
        self.k = 2 * np.pi * modes / length
        self.u0, self.amp = u0, amp

    def velocity(self, x, y, t):
        phase = self.k * (x - 0.3 * t)
        u = self.u0 / np.cosh(y - self.amp * np.cos(phase)) ** 2
        v = -self.amp * self.k * np.sin(phase) * u
        return u, v


def heun(flow, x, y, t, dt):
    u1, v1 = flow.velocity(x, y, t)
    u2, v2 = flow.velocity(x + dt * u1, y + dt * v1, t + dt)
    return x + 0.5 * dt * (u1 + u2), y + 0.5 * dt * (v1 + v2)
