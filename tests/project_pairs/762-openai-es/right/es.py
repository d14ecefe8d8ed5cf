from dataclasses import dataclass, field

import numpy as np

from envs import rollout
from seeding import SeedPlan


@dataclass
class ESConfig:
    pairs: int = 24
    sigma: float = 0.1
    lr: float = 0.08
    generations: int = 15
    momentum: float = 0.8
    weight_decay: float = 0.002


@dataclass
class EvolutionStrategy:
    """Antithetic evolution strategy; the pairs are spread over the ranks."""

    comm: object
    env: object
    policy: object
    cfg: ESConfig
    seeds: SeedPlan
    theta: np.ndarray = field(init=False)

    def __post_init__(self):
        n = self.policy.n_params
        self.theta = 0.05 * self.seeds.shared("init").normal(size=n)
        self.velocity = np.zeros(n)
        self.start_rng = self.seeds.shared("starts")
        self.noise_rng = self.seeds.per_rank("noise")
        full, rest = divmod(self.cfg.pairs, self.comm.size)
        self.local_pairs = full + (self.comm.rank < rest)

    def _evaluate(self, start):
        eps = self.noise_rng.normal(size=(self.local_pairs, self.theta.size))
        returns = np.empty((self.local_pairs, 2))
        for k, e in enumerate(eps):
            step = self.cfg.sigma * e
            returns[k, 0] = rollout(self.env, self.policy, self.theta + step, start)
            returns[k, 1] = rollout(self.env, self.policy, self.theta - step, start)
        return eps, returns

    def _moments(self, returns):
        part = np.array([returns.sum(), (returns**2).sum(), returns.size])
        total = np.empty_like(part)
        self.comm.Allreduce(part, total)
        mean = total[0] / total[2]
        return mean, np.sqrt(max(total[1] / total[2] - mean**2, 1e-12))

    def generation(self):
        start = self.start_rng.uniform(-1.0, 1.0, size=2)
        eps, returns = self._evaluate(start)
        mean, std = self._moments(returns)

        local = ((returns[:, 0] - returns[:, 1]) / std) @ eps
        grad = np.empty_like(local)
        self.comm.Allreduce(local, grad)
        grad /= 2.0 * self.cfg.pairs * self.cfg.sigma

        self.velocity = self.cfg.momentum * self.velocity + (1 - self.cfg.momentum) * grad
        self.theta += self.cfg.lr * self.velocity - self.cfg.weight_decay * self.cfg.lr * self.theta
        return mean, std
