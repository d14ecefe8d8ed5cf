"""Asynchronous exchange of planes with the neighbours of a ring."""
from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from mpi4py import MPI

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Side:
    """One face of a slab and the rank behind it."""

    name: str
    rank: int
    ghost: int
    edge: int
    send_tag: int
    recv_tag: int


class Exchanger:
    def __init__(self, comm: MPI.Intracomm) -> None:
        self.comm = comm
        self.pending: list[MPI.Request] = []
        down, up = (comm.rank - 1) % comm.size, (comm.rank + 1) % comm.size
        self.sides = (Side("down", down, 0, 1, send_tag=1, recv_tag=2),
                      Side("up", up, -1, -2, send_tag=2, recv_tag=1))

    def begin(self, values: np.ndarray, side: Side) -> None:
        self.pending = [
            self.comm.Irecv(values[side.ghost], source=side.rank, tag=side.recv_tag),
            self.comm.Isend(values[side.edge], dest=side.rank, tag=side.send_tag),
        ]
        log.debug("%s: exchange with %d started", side.name, side.rank)

    def finish(self) -> None:
        MPI.Request.Waitall(self.pending)
        self.pending = []

    @contextlib.contextmanager
    def overlapping(self, values: np.ndarray) -> Iterator[None]:
        for side in self.sides:
            self.begin(values, side)
        yield
        self.finish()
