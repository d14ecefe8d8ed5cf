"""Cross-validated decoding of stimulus side from a population of units.

Units are spread over the ranks; every rank sees all the trials of its units.
"""
import argparse
import json

from mpi4py import MPI

from decoder.config import DecoderConfig
from decoder.crossval import cross_validate
from decoder.population import Population
from decoder.preprocess import clean_counts
from decoder.streams import Streams


def parse_args():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--units", type=int, default=47)
    ap.add_argument("--trials", type=int, default=240)
    ap.add_argument("--folds", type=int, default=6)
    ap.add_argument("--seed", type=int, default=2024)
    ap.add_argument("--out", default="decoder.json")
    return ap.parse_args()


def main():
    cfg = DecoderConfig.from_namespace(parse_args())
    comm = MPI.COMM_WORLD
    streams = Streams(cfg.seed, comm.rank)
    population = Population(cfg, comm.rank, comm.size)
    counts = population.simulate(streams)
    features = clean_counts(cfg, counts, streams)
    scores = cross_validate(cfg, comm, features, population.labels, streams)
    n_units = comm.reduce(len(features), root=0)
    if comm.rank == 0:
        record = {"units": n_units, "accuracy": scores.mean(), "folds": scores.tolist()}
        with open(cfg.out, "w") as fh:
            json.dump(record, fh, indent=1)
        print(f"{n_units} units, accuracy {scores.mean():.3f} +- {scores.std():.3f}")


if __name__ == "__main__":
    main()
