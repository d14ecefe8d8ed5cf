from dataclasses import dataclass


@dataclass(frozen=True)
class SlabConfig:
    thickness: float
    albedo: float
    histories: int
    batches: int
    seed: int
    weight_cut: float = 1e-3

    def per_batch(self, size):
        return max(1, self.histories // (self.batches * size))
