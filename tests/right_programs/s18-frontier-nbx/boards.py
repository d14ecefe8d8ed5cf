"""Squares a knight can reach, on boards with holes."""
from __future__ import annotations

from typing import NamedTuple

JUMPS = frozenset((a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b))


class Square(NamedTuple):
    row: int
    col: int

    def __add__(self, jump):
        return Square(self.row + jump[0], self.col + jump[1])


class Board(NamedTuple):
    size: int
    holes: frozenset = frozenset()

    def __contains__(self, square):
        return 0 <= square.row < self.size and 0 <= square.col < self.size \
            and square not in self.holes

    def owner(self, square, ranks):
        return (square.row * 3 + square.col // 2) % ranks

    def neighbours(self, square):
        return {there for jump in JUMPS if (there := square + jump) in self}


BOARDS = (Board(8), Board(3), Board(5, frozenset({Square(1, 2), Square(2, 1), Square(4, 4)})),
          Board(11, frozenset(Square(5, c) for c in range(10))))
