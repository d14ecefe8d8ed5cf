import numpy as np


class Corridor:
    """Walk along a line to the goal cell; episodes vary in length."""

    n_actions = 2

    def __init__(self, length, rng, max_steps=200):
        self.length = length
        self.rng = rng
        self.max_steps = max_steps

    def reset(self):
        self.pos = int(self.rng.integers(0, self.length - 1))
        self.t = 0
        return self.pos

    def step(self, action):
        self.pos = max(self.pos + (1 if action == 1 else -1), 0)
        self.t += 1
        at_goal = self.pos >= self.length - 1
        done = at_goal or self.t >= self.max_steps
        return min(self.pos, self.length - 1), (1.0 if at_goal else -0.01), done


def policy(logits, obs):
    z = np.exp(logits[obs] - logits[obs].max())
    return z / z.sum()
