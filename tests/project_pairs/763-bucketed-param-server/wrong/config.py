import argparse
from dataclasses import dataclass


@dataclass
class Config:
    steps: int = 6
    batch: int = 64
    inputs: int = 128
    hidden: int = 512
    lr: float = 0.5
    momentum: float = 0.9
    bucket_elems: int = 16384
    seed: int = 11

    @classmethod
    def from_cli(cls):
        parser = argparse.ArgumentParser()
        for name, default in cls().__dict__.items():
            parser.add_argument("--" + name.replace("_", "-"), type=type(default), default=default)
        return cls(**vars(parser.parse_args()))
