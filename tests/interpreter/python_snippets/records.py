"""Dataclasses and named tuples: equality, and as keys."""

import copy
from collections import namedtuple
from dataclasses import dataclass, field
from typing import NamedTuple


@dataclass(frozen=True)
class Cell:
    x: int
    y: int


class Pair(NamedTuple):
    first: int
    second: int = 2


@dataclass
class Task:
    number: int
    parts: list = field(default_factory=list)


Point = namedtuple("Point", "x y")
show({Cell(1, 2): 3}[Cell(1, 2)], Cell(1, 2) == Cell(1, 2), Cell(1, 2) in [Cell(1, 2)], len({Cell(1, 2), Cell(1, 2)}))
show(Pair(1) == Pair(1), {Pair(1): 5}[Pair(1)], Pair(1).second, list(Pair(1)))
show(Task(1) == Task(1), Task(1) != Task(2), Task(1, [2]).parts, Task(1) in [Task(2), Task(1)])
show(Point(1, 2) == (1, 2), Point(1, 2).y, Point(1, 2)._replace(x=5), Point(y=1, x=2))
shared = [1]
first, second = copy.deepcopy([shared, shared])
show(first is second, first is shared, first)
