from dataclasses import dataclass


@dataclass(frozen=True)
class EnsembleConfig:
    members: int = 6
    groups: int = 2
    sites: int = 64
    steps: int = 40
    coupling: float = 0.3
    r_low: float = 3.57
    r_high: float = 3.95
    seed: int = 17
    store: str = "npy"
    outdir: str = "ensemble_out"

    def growth(self, number):
        if self.members == 1:
            return self.r_low
        return self.r_low + (self.r_high - self.r_low) * number / (self.members - 1)

    def validate(self, pool):
        if self.members < 1 or self.groups < 1:
            raise ValueError("members and groups must be positive")
        if self.sites < pool.world.size:
            raise ValueError("a rank needs at least one site")
