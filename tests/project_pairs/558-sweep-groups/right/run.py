"""Random search: each group of ranks trains one candidate data-parallel."""
import sys

from mpi4py import MPI

from sweep.candidates import CandidateQueue
from sweep.groups import TrainingGroup
from sweep.report import Leaderboard
from sweep.ridge import DistributedRidge, synthetic

CONFIG = dict(group_size=2, candidates=6, rows=400, dims=10, steps=60, seed=31)


def run_candidate(group, setting, data, valid):
    model = DistributedRidge(group.comm, **setting)
    model.fit(*data, steps=CONFIG["steps"])
    return group.mean(model.loss(*valid))


def main():
    world = MPI.COMM_WORLD
    group = TrainingGroup(world, CONFIG["group_size"])
    queue = CandidateQueue(CONFIG["candidates"], CONFIG["seed"], group)
    board = Leaderboard(world)

    data = synthetic(CONFIG["rows"], CONFIG["dims"], (CONFIG["seed"], world.rank))
    valid = synthetic(CONFIG["rows"] // 2, CONFIG["dims"], (CONFIG["seed"], 99))
    for number, setting in queue:
        score = run_candidate(group, setting, data, valid)
        if group.is_leader:
            board.add(number, setting, score)

    best = board.finish()
    if world.rank == 0:
        board.show()
    assert best["number"] in range(CONFIG["candidates"])
    group.free()
    return 0


if __name__ == "__main__":
    sys.exit(main())
