import random


def draw(rng):
    return {
        "lr": 10 ** rng.uniform(-2.5, -0.7),
        "l2": 10 ** rng.uniform(-4, 0),
        "momentum": rng.choice([0.0, 0.5, 0.9]),
    }


class CandidateQueue:
    """Candidates dealt to the groups in turn; the leader draws them."""

    def __init__(self, count, seed, group):
        self.count = count
        self.seed = seed
        self.group = group

    def _draw_mine(self):
        rng = random.Random(self.seed)
        drawn = [draw(rng) for _ in range(self.count)]
        return [(i, s) for i, s in enumerate(drawn) if i % self.group.count == self.group.index]

    def __iter__(self):
        mine = self._draw_mine() if self.group.is_leader else None
        yield from self.group.share(mine)
