"""Shifting the edge cells of all fields to the next rank of a ring."""
from __future__ import annotations

from collections.abc import Callable

import numpy as np
from mpi4py import MPI

from fields import State

Sender = Callable[[np.ndarray], MPI.Request]


class RingShift:
    def __init__(self, comm: MPI.Intracomm, state: State) -> None:
        self.comm = comm
        self.state = state
        self.ahead = (comm.rank + 1) % comm.size
        self.behind = (comm.rank - 1) % comm.size
        self.senders = self._make_senders()

    def _post(self, data: np.ndarray, tag: int) -> MPI.Request:
        return self.comm.Isend(data, dest=self.ahead, tag=tag)

    def _make_senders(self) -> list[Sender]:
        senders: list[Sender] = []
        for item in self.state:
            senders.append(lambda data: self._post(data, int(item.kind)))
        return senders

    def __call__(self) -> None:
        requests = [send(item.edge) for send, item in zip(self.senders, self.state)]
        for item in self.state:
            self.comm.Recv(item.ghost, source=self.behind, tag=int(item.kind))
        MPI.Request.Waitall(requests)
