"""Tags and records that travel between learner and actors."""
from dataclasses import dataclass, field

TAG_ROLLOUT = 11
TAG_POLICY = 12
TAG_STOP = 13


@dataclass
class Rollout:
    steps: list = field(default_factory=list)
    reward: float = 0.0

    def add(self, state, action, reward, after, done):
        self.steps.append((state, action, reward, after, done))
        self.reward += reward

    def __len__(self):
        return len(self.steps)
