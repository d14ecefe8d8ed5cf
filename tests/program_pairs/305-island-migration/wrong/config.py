"""Settings of the island search."""
from dataclasses import dataclass


@dataclass
class SearchConfig:
    seed: int = 2024
    islands_population: int = 24
    genes: int = 12
    generations: int = 40
    migration_rate: float = 0.3
    elite: int = 3
    mutation: float = 0.15
