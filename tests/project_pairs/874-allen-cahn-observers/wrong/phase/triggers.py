"""Conditions under which an observer does its work."""
import time
from abc import ABC, abstractmethod


class Trigger(ABC):
    @abstractmethod
    def due(self, model):
        ...


class EveryNSteps(Trigger):
    def __init__(self, n):
        self.n = n

    def due(self, model):
        return model.step_number % self.n == 0


class EveryInterval(Trigger):
    """Fires when ``seconds`` of wall time have passed since it last fired."""

    def __init__(self, seconds):
        self.seconds = seconds
        self.last = time.perf_counter()

    def due(self, model):
        now = time.perf_counter()
        ready = now - self.last >= self.seconds
        if ready:
            self.last = now
        return ready
