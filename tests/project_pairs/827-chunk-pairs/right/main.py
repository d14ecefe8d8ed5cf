"""Find the spectrum that is furthest from the running reference."""
from __future__ import annotations

import argparse

from mpi4py import MPI

from catalog import Catalog, Spectrum
from reference import ReferenceStream
from score import Scorer


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spectra", type=int, default=30)
    parser.add_argument("--bins", type=int, default=64)
    args = parser.parse_args()

    comm = MPI.COMM_WORLD
    catalog = Catalog(args.spectra, weights=[1 + r for r in range(comm.size)])
    spectra = [Spectrum.synthetic(i, args.bins) for i in catalog.share(comm.rank)]
    scorer = Scorer(ReferenceStream(comm, spectra, args.bins))
    scores = scorer.run(spectra)
    merged = comm.gather(scores, root=0)
    if comm.rank == 0:
        everything = {k: v for part in merged for k, v in part.items()}
        worst = max(sorted(everything), key=everything.__getitem__)
        print(f"{len(everything)} scored, worst {worst} at {everything[worst]:.5f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
