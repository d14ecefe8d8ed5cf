from dataclasses import dataclass, field


@dataclass
class EarlyStopping:
    patience: int = 3
    min_delta: float = 1e-4
    best: float = float("inf")
    bad: int = 0
    history: list = field(default_factory=list)

    def update(self, value):
        self.history.append(value)
        if value < self.best - self.min_delta:
            self.best = value
            self.bad = 0
        else:
            self.bad += 1
        return self.bad >= self.patience
