from dataclasses import dataclass, fields


@dataclass
class DecoderConfig:
    units: int
    trials: int
    folds: int
    seed: int
    out: str
    ridge: float = 2.0
    window: float = 0.25
    tie_noise: float = 0.05
    saturation: int = 12

    @classmethod
    def from_namespace(cls, ns):
        names = {f.name for f in fields(cls)}
        return cls(**{k: v for k, v in vars(ns).items() if k in names})
