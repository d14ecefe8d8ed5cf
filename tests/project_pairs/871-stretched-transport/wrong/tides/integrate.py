"""Embedded Runge-Kutta integrators with step rejection."""
from abc import ABC, abstractmethod

from .control import scaled_error


class Clock:
    def __init__(self):
        self.time = 0.0
        self.accepted = 0
        self.rejected = 0


class EmbeddedIntegrator(ABC):
    order = None

    def __init__(self, mesh, rhs, clock, limiters):
        self.mesh = mesh
        self.rhs = rhs
        self.clock = clock
        self.limiters = limiters

    @abstractmethod
    def attempt(self, u, dt):
        """Return the new state and the error estimate."""

    def next_dt(self):
        dt = float("inf")
        for limiter in self.limiters:
            dt = limiter.limit(dt)
        return dt

    def run(self, u, t_end):
        while self.clock.time < t_end * (1.0 - 1e-12):
            dt = self.next_dt()
            candidate, error = self.attempt(u, dt)
            norm = scaled_error(self.mesh, error, u)
            for limiter in self.limiters:
                limiter.observe(dt, norm)
            if norm <= 1.0:
                u = candidate
                self.clock.time += dt
                self.clock.accepted += 1
            else:
                self.clock.rejected += 1
        return u


class BogackiShampine(EmbeddedIntegrator):
    order = 2

    def attempt(self, u, dt):
        k1 = self.rhs(u)
        k2 = self.rhs(u + 0.5 * dt * k1)
        k3 = self.rhs(u + 0.75 * dt * k2)
        new = u + dt * (2.0 * k1 + 3.0 * k2 + 4.0 * k3) / 9.0
        k4 = self.rhs(new)
        low = u + dt * (7.0 * k1 / 24.0 + k2 / 4.0 + k3 / 3.0 + k4 / 8.0)
        return new, new - low
