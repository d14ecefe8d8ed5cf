"""Load balance cells of an adaptive mesh over the ranks."""
import numpy as np
from mpi4py import MPI


def make_costs(rank):
    rng = np.random.default_rng(40 + rank)
    return rng.integers(1, 20, size=6 + 4 * rank)


class Balancer:
    def __init__(self, comm):
        self.comm = comm
        self.loads = None

    def measure(self, costs):
        self.loads = self.comm.gather(int(costs.sum()))

    def imbalance(self):
        return max(self.loads) / (sum(self.loads) / len(self.loads))

    def target(self):
        return sum(self.loads) // self.comm.size


def shed(costs, target):
    """Keep cells until the target load is met; return kept and surplus."""
    c = np.cumsum(costs)
    n = int(np.searchsorted(c, target, side="right"))
    return costs[:n], costs[n:]


def main():
    comm = MPI.COMM_WORLD
    costs = make_costs(comm.rank)
    bal = Balancer(comm)

    bal.measure(costs)
    before = bal.imbalance()
    keep, surplus = shed(costs, bal.target())

    pool = [c for part in comm.allgather(surplus.tolist()) for c in part]
    mine = np.concatenate([keep, np.array(pool[comm.rank::comm.size], dtype=keep.dtype)])
    bal.measure(mine)
    after = bal.imbalance()

    if comm.rank == 0:
        print(f"imbalance {before:.3f} -> {after:.3f}")
        assert after <= before
    total = comm.allreduce(int(mine.sum() - costs.sum()))
    assert total == 0


if __name__ == "__main__":
    main()
