import numpy as np


class Trainer:
    def __init__(self, cfg, ranks, net, averager):
        self.cfg = cfg
        self.ranks = ranks
        self.net = net
        self.averager = averager
        self.params = net.init()

    def epoch(self, epoch, data):
        x, y = data
        rng = np.random.default_rng([self.cfg["seed"], epoch, self.ranks.rank])
        order, b = rng.permutation(len(x)), self.cfg["batch"]
        losses = []
        for lo in range(0, len(x) - b + 1, b):
            ids = order[lo:lo + b]
            value, grads = self.net.value_and_grad(self.params, x[ids], y[ids])
            for k, g in self.averager(grads).items():
                self.params[k] = self.params[k] - self.cfg["rate"] * g
            losses.append(float(value))
        return float(self.ranks.mean(np.mean(losses)))

    def replica_spread(self):
        """Largest difference between the parameters of any rank and of the first."""
        worst = 0.0
        for k in sorted(self.params):
            reference = self.ranks.from_first(self.params[k])
            worst = max(worst, float(np.abs(self.params[k] - reference).max()))
        return self.ranks.max(worst)
