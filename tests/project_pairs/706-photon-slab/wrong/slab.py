#!/usr/bin/env python
import argparse

import numpy as np
from mpi4py import MPI

from deck import Deck
from transport import trace


class Simulation:
    def __init__(self, comm, deck_path=None):
        self.comm = comm
        self.deck = self.setup(deck_path)
        base, extra = divmod(self.deck.photons, comm.size)
        self.mine = base + (1 if comm.rank < extra else 0)
        self.rng = np.random.default_rng((self.deck.seed, comm.rank))

    def setup(self, deck_path):
        deck = Deck()
        if self.comm.rank == 0 and deck_path:
            deck.update_from(deck_path)
            print(f"slab: {deck}")
        return deck

    def run(self):
        local = trace(self.rng, self.deck, self.mine)
        total = np.zeros_like(local)
        self.comm.Allreduce(local, total, op=MPI.SUM)
        return total / total.sum()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("deck", nargs="?")
    args = ap.parse_args()
    sim = Simulation(MPI.COMM_WORLD, args.deck)
    t, r, a = sim.run()
    if sim.comm.rank == 0:
        print(f"transmitted {t:.4f}  reflected {r:.4f}  absorbed {a:.4f}")


if __name__ == "__main__":
    main()
