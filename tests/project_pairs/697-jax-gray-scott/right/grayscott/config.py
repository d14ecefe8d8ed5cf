from dataclasses import dataclass


@dataclass(frozen=True)
class GSConfig:
    cells: int = 48
    steps: int = 200
    save_every: int = 100
    du: float = 0.16
    dv: float = 0.08
    feed: float = 0.035
    kill: float = 0.065

    def validate(self, processes):
        if self.cells % processes:
            raise ValueError(f"{self.cells} rows do not divide over {processes} processes")
        if self.save_every < 1 or self.steps < 1:
            raise ValueError("steps and save_every must be positive")
