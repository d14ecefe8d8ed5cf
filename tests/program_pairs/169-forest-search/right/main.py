"""Search over depth and number of trees, one candidate per worker in each round."""
from mpi4py import MPI

from model import evaluate

GRID = [(depth, trees) for depth in (6, 4, 2, 1) for trees in (12, 3)]


def manager(comm):
    workers = comm.size - 1
    scores = {}
    for start in range(0, len(GRID), workers):
        batch = GRID[start:start + workers]
        for w, candidate in enumerate(batch, start=1):
            comm.send(candidate, dest=w)
        losses = [comm.recv(source=w) for w in range(1, len(batch) + 1)]
        scores.update(zip(batch, losses))
    for w in range(1, comm.size):
        comm.send(None, dest=w)
    return scores


def worker(comm):
    while (candidate := comm.recv(source=0)) is not None:
        comm.send(evaluate(*candidate), dest=0)


def main():
    comm = MPI.COMM_WORLD
    if comm.size < 2:
        raise SystemExit("needs a manager and at least one worker")
    if comm.rank > 0:
        worker(comm)
        return
    scores = manager(comm)
    for (depth, trees), loss in sorted(scores.items()):
        print(f"depth {depth}  trees {trees:2d}  loss {loss:.5f}")
    depth, trees = min(scores, key=scores.get)
    print(f"best: depth {depth}, {trees} trees")


if __name__ == "__main__":
    main()
