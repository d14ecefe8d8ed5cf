import numpy as np

MOVES = np.array([(0, 1), (0, -1), (1, 0), (-1, 0)])


class GridWorld:
    """Walk to the corner of a square; falling off costs, arriving pays."""

    def __init__(self, side, rng, horizon=30):
        self.side = side
        self.rng = rng
        self.horizon = horizon
        self.actions = len(MOVES)
        self.states = side * side

    def reset(self):
        self.pos = self.rng.integers(0, self.side, 2)
        self.left = self.horizon
        return self._index()

    def _index(self):
        return int(self.pos[0] * self.side + self.pos[1])

    def step(self, action):
        target = self.pos + MOVES[action]
        inside = bool(((target >= 0) & (target < self.side)).all())
        self.pos = target if inside else self.pos
        self.left -= 1
        home = bool((self.pos == self.side - 1).all())
        reward = (1.0 if home else 0.0) - 0.02 - (0.0 if inside else 0.05)
        return self._index(), reward, home or self.left == 0
