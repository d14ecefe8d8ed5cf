"""Choose the ridge penalty by cross-validation."""
import json

from mpi4py import MPI

from exprcv.config import CvConfig
from exprcv.crossval import CrossValidation
from exprcv.data import load_study


def main():
    comm = MPI.COMM_WORLD
    cfg = CvConfig.from_args()
    study = load_study(cfg)
    scores = CrossValidation(comm, cfg, study).scores()
    if comm.rank == 0:
        best = max(scores, key=scores.get)
        print(json.dumps({"seed": cfg.seed, "best_alpha": best,
                          "r2": {str(a): round(float(s), 4)
                                 for a, s in scores.items()}}, indent=1))


if __name__ == "__main__":
    main()
