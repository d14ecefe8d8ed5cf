"""Folds in parallel, out-of-fold predictions on all ranks."""
import numpy as np
from mpi4py import MPI

from .folds import FoldPlan
from .ridge import Ridge, r_squared


class CrossValidation:
    def __init__(self, comm, cfg, study):
        self.comm = comm
        self.cfg = cfg
        self.study = study
        self.plan = FoldPlan(len(study), cfg.n_folds, cfg.seed)

    def out_of_fold(self, alpha):
        """Prediction for each sample by the model which has not seen it."""
        x, y = self.study.expression, self.study.phenotype
        predicted = np.zeros(len(self.study))
        for _, train, test in self.plan.of_rank(self.comm.rank,
                                                self.comm.size):
            model = Ridge(alpha).fit(x[train], y[train])
            predicted[test] = model.predict(x[test])
        self.comm.Allreduce(MPI.IN_PLACE, predicted, op=MPI.SUM)
        return predicted

    def scores(self):
        return {alpha: r_squared(self.study.phenotype,
                                 self.out_of_fold(alpha))
                for alpha in self.cfg.alphas}
