"""Spreading of a quantity over cells that are dealt to the ranks."""
from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from mail import MailRoom, Parcel


class Phase(ABC):
    name: ClassVar[str]

    @abstractmethod
    def target(self, cell: int, cells: int) -> int: ...

    @abstractmethod
    def share(self, value: float) -> float: ...


class Shift(Phase):
    name = "shift"

    def target(self, cell: int, cells: int) -> int:
        return (cell + 5) % cells

    def share(self, value: float) -> float:
        return 0.5 * value


class Mirror(Phase):
    name = "mirror"

    def target(self, cell: int, cells: int) -> int:
        return cells - 1 - cell

    def share(self, value: float) -> float:
        return 0.25 * value + 0.01 * value**2


class Field:
    def __init__(self, mail: MailRoom, cells: int) -> None:
        self.mail = mail
        self.cells = cells
        rank, size = mail.comm.rank, mail.comm.size
        self.values = {c: 1.0 + 0.1 * c for c in range(rank, cells, size)}

    def owner(self, cell: int) -> int:
        return cell % self.mail.comm.size

    def response(self, cell: int) -> float:
        """Mean response of a cell; every twelfth cell is resolved finely."""
        count = 40000 if cell % 12 == 11 else 400
        return float(np.mean(np.cos(np.linspace(0.0, 1.0, count))))

    def apply(self, phase: Phase) -> None:
        for cell, value in self.values.items():
            given = phase.share(value) * self.response(cell)
            self.values[cell] = value - given
            goal = phase.target(cell, self.cells)
            self.mail.post(self.owner(goal), Parcel(goal, given))
        for parcel in self.mail.deliver():
            self.values[parcel.cell] += parcel.amount
