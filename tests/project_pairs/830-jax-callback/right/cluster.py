"""Command line options and start-up of the JAX processes."""
from __future__ import annotations

import argparse
from dataclasses import dataclass

import jax


@dataclass(frozen=True)
class Cluster:
    coordinator: str
    processes: int
    index: int

    @classmethod
    def from_arguments(cls, argv: list[str] | None = None) -> "Cluster":
        parser = argparse.ArgumentParser()
        parser.add_argument("--coordinator", default="localhost:12355")
        parser.add_argument("--processes", type=int, default=1)
        parser.add_argument("--index", type=int, default=0)
        args = parser.parse_args(argv)
        return cls(args.coordinator, args.processes, args.index)

    def __enter__(self) -> "Cluster":
        if self.processes > 1:
            jax.distributed.initialize(
                coordinator_address=self.coordinator,
                num_processes=self.processes,
                process_id=self.index,
            )
        return self

    def __exit__(self, *exc: object) -> None:
        if self.processes > 1:
            jax.distributed.shutdown()

    @property
    def is_lead(self) -> bool:
        return jax.process_index() == 0
