"""Local (non-communicating) stopping rules; used by rank 0 only."""
import math
import time


class EarlyStopper:
    def __init__(self, patience, min_delta=0.0):
        self.patience, self.min_delta = patience, min_delta
        self.best, self.best_x, self.bad = math.inf, None, 0

    def update(self, loss, x):
        if loss < self.best - self.min_delta:
            self.best, self.best_x, self.bad = loss, x.copy(), 0
        else:
            self.bad += 1

    def exhausted(self):
        return self.bad >= self.patience


class TimeBudget:
    def __init__(self, seconds):
        self.deadline = time.monotonic() + seconds

    def spent(self):
        return time.monotonic() > self.deadline
