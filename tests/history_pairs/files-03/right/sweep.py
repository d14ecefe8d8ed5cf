from dataclasses import dataclass


@dataclass(frozen=True)
class Job:
    seed: int
    scale: float


def jobs_of(comm):
    """The jobs of this rank, dealt out one by one."""
    everything = [Job(seed, scale) for seed in range(5) for scale in (0.5, 1.0, 2.0)]
    return everything[comm.rank::comm.size]
