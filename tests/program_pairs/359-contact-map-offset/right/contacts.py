"""Residue contacts of a protein-like chain.

The coordinates are scattered by residues, each rank compares its residues
with the whole chain and returns the contacts as pairs of residue numbers.
"""
import argparse
from dataclasses import dataclass, field

import numpy as np
from mpi4py import MPI


@dataclass
class ContactSearch:
    cutoff: float = 6.0
    min_separation: int = 4
    pairs: list = field(default_factory=list)

    def run(self, block, first, chain):
        for k, xyz in enumerate(block):
            i = first + k
            d = np.linalg.norm(chain - xyz, axis=1)
            near = np.nonzero(d < self.cutoff)[0]
            self.pairs += [(i, int(j)) for j in near if j - i >= self.min_separation]
        return self.pairs


def fold_chain(n, seed=5):
    """Compact random walk with a bond length of 3.8."""
    rng = np.random.default_rng(seed)
    xyz = np.zeros((n, 3))
    for i in range(1, n):
        step = rng.normal(size=3) - 0.08 * xyz[i - 1]
        xyz[i] = xyz[i - 1] + 3.8 * step / np.linalg.norm(step)
    return xyz


def scatter_rows(comm, chain):
    parts = np.array_split(chain, comm.size) if comm.rank == 0 else None
    block = comm.scatter(parts, root=0)
    first = comm.scan(len(block)) - len(block)
    return block, first


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("-n", type=int, default=200)
    args = ap.parse_args()
    comm = MPI.COMM_WORLD

    chain = fold_chain(args.n) if comm.rank == 0 else None
    chain = comm.bcast(chain, root=0)
    block, first = scatter_rows(comm, chain)
    pairs = ContactSearch().run(block, first, chain)
    collected = comm.gather(pairs, root=0)

    if comm.rank == 0:
        contacts = sorted(p for part in collected for p in part)
        serial = sorted(ContactSearch().run(chain, 0, chain))
        print(f"{len(contacts)} contacts, {len(serial)} in the serial run")
        if contacts != serial:
            raise SystemExit("contact lists differ")


if __name__ == "__main__":
    main()
