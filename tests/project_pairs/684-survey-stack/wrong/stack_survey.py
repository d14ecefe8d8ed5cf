"""Stack radial profiles from a directory of survey tiles."""
import argparse
import json
import logging

from mpi4py import MPI

from stacker.config import StackConfig
from stacker.dist import Team
from stacker.pipeline import Pipeline
from stacker.synth import make_tiles


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--tiles", default="tiles")
    ap.add_argument("--out", default="profile.json")
    ap.add_argument("--bins", type=int, default=8)
    ap.add_argument("--ntiles", type=int, default=13)
    ap.add_argument("--clip", type=float, default=4.0)
    args = ap.parse_args()

    team = Team(MPI.COMM_WORLD)
    logging.basicConfig(level=logging.INFO, format=f"[{team.rank}] %(message)s")
    cfg = StackConfig(bins=args.bins, clip=args.clip)
    if team.lead:
        make_tiles(args.tiles, args.ntiles, cfg)
    team.sync()

    result = Pipeline(cfg, team).run(args.tiles)
    if team.lead:
        with open(args.out, "w") as f:
            json.dump(result, f, indent=1)
        print("used", result["used"], "rejected", result["rejected"])
        print("profile", " ".join(f"{v:.4f}" for v in result["profile"]))


if __name__ == "__main__":
    main()
