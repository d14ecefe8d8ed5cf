import numpy as np


class Momentum:
    def __init__(self, params: np.ndarray, rate: float, decay: float = 0.8):
        self.params = params
        self.velocity = np.zeros_like(params)
        self.rate = rate
        self.decay = decay

    def update(self, grad: np.ndarray) -> None:
        self.velocity = self.decay * self.velocity - self.rate * grad
        self.params = self.params + self.velocity
