import numpy as np

S, I, R = 0, 1, 2


class Population:
    """The agents of one rank."""

    def __init__(self, count, infected, rng):
        self.rng = rng
        self.state = np.full(count, S, dtype=np.int8)
        self.state[:infected] = I

    def counts(self):
        return np.bincount(self.state, minlength=3).astype(np.int64)

    def infect(self, prevalence, contacts, transmission):
        risk = 1 - (1 - transmission * prevalence) ** contacts
        hit = (self.state == S) & (self.rng.uniform(size=self.state.size) < risk)
        self.state[hit] = I

    def recover(self, rate):
        healed = (self.state == I) & (self.rng.uniform(size=self.state.size) < rate)
        self.state[healed] = R
