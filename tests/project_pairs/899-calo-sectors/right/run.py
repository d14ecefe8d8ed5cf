"""Send calorimeter hits to the rank of their sector and make sector spectra."""
import argparse
import json

from mpi4py import MPI

from calo.generate import generate_hits
from calo.geometry import SectorMap
from calo.shuffle import HitShuffle
from calo.spectra import SectorSpectra


def parse_args():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--batches", type=int, default=4)
    ap.add_argument("--hits", type=int, default=9000, help="hits of a batch on a rank")
    ap.add_argument("--sectors", type=int, default=12)
    ap.add_argument("--seed", type=int, default=3)
    ap.add_argument("--out", default="sectors.json")
    return ap.parse_args()


def main():
    args = parse_args()
    comm = MPI.COMM_WORLD
    sectors = SectorMap(args.sectors, comm.size)
    shuffle = HitShuffle(comm, sectors)
    spectra = SectorSpectra(sectors.owned_by(comm.rank))
    produced = 0.0
    for batch in range(args.batches):
        hits = generate_hits(args.hits, (args.seed, batch, comm.rank))
        produced += hits["energy"].sum()
        for block in shuffle.exchange(hits):
            spectra.fill(sectors.sector(block["phi"]), block["energy"])

    produced = comm.reduce(produced, root=0)
    parts = comm.gather(spectra.table(), root=0)
    if comm.rank == 0:
        table = {k: v for part in parts for k, v in part.items()}
        with open(args.out, "w") as fh:
            json.dump(table, fh, indent=1)
        total = sum(row["energy"] for row in table.values())
        hits = sum(row["hits"] for row in table.values())
        print(f"{len(table)} sectors, {hits} hits, energy {total:.3f} of {produced:.3f}")


if __name__ == "__main__":
    main()
