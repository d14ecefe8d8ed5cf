from dataclasses import dataclass


@dataclass
class ReduceOnPlateau:
    """Halve the learning rate if the loss has not become better for some epochs."""
    rate: float
    patience: int = 1
    factor: float = 0.5
    threshold: float = 1e-3
    best: float = float("inf")
    waited: int = 0

    def update(self, loss):
        if loss < self.best * (1.0 - self.threshold):
            self.best = loss
            self.waited = 0
        else:
            self.waited += 1
            if self.waited > self.patience:
                self.rate *= self.factor
                self.waited = 0
        return self.rate
