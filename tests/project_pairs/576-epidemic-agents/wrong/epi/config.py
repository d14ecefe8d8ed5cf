import os
from dataclasses import dataclass


@dataclass
class Config:
    agents: int = 1200
    days: int = 60
    contacts: int = 9
    transmission: float = 0.035
    recovery: float = 0.12
    seeds: int = 12
    lockdown_share: float = 0.08
    lockdown_contacts: int = 3
    output: str = "epidemic.csv"
    seed: int = 4

    @classmethod
    def from_env(cls, prefix="EPI_"):
        values = {}
        for name, field in cls.__dataclass_fields__.items():
            if prefix + name.upper() in os.environ:
                values[name] = type(field.default)(os.environ[prefix + name.upper()])
        return cls(**values)
