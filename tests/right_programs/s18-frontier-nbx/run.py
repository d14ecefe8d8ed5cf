from collections import Counter, defaultdict

from mpi4py import MPI

from boards import BOARDS, Square
from nbx import sparse_exchange


class Frontier(set):
    """The squares of one rank that were reached in the last step."""

    def __init__(self, comm, squares=()):
        super().__init__(squares)
        self.comm = comm

    def __bool__(self):
        return self.comm.allreduce(len(self)) > 0

    def expand(self, board):
        letters = defaultdict(set)
        for square in self:
            for there in board.neighbours(square):
                letters[board.owner(there, self.comm.size)].add(there)
        return letters


def reach(comm, board, start):
    levels, depth = {}, 0
    frontier = Frontier(comm)
    if board.owner(start, comm.size) == comm.rank:
        frontier.add(start)
        levels[start] = 0
    while frontier:
        depth += 1
        letters = frontier.expand(board)
        own = letters.pop(comm.rank, set())
        fresh = Frontier(comm, own - levels.keys())
        for _, letter in sparse_exchange(comm, letters, tag=depth):
            fresh |= letter - levels.keys()
        levels.update(dict.fromkeys(fresh, depth))
        frontier = fresh
    return levels, depth


def serial(board, start):
    levels, edge, depth = {start: 0}, {start}, 0
    while edge:
        depth += 1
        edge = set().union(*map(board.neighbours, edge)) - levels.keys()
        levels |= dict.fromkeys(edge, depth)
    return levels, depth


def main():
    comm = MPI.COMM_WORLD
    for board in BOARDS:
        mine, depth = reach(comm, board, Square(0, 0))
        reference, reference_depth = serial(board, Square(0, 0))
        assert depth == reference_depth
        parts = comm.allgather(mine)
        assert sum(map(len, parts)) == len(reference)
        assert {k: v for part in parts for k, v in part.items()} == reference
        profile = comm.reduce(Counter(mine.values()), op=MPI.SUM, root=0)
        if profile is not None:
            print(board.size, [profile[d] for d in sorted(profile)])


if __name__ == "__main__":
    main()
