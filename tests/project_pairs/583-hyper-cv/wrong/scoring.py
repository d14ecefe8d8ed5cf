"""Cross validation score of a setting; the folds are dealt to the ranks."""
from mpi4py import MPI

from ridge import Ridge


class CrossValidator:
    def __init__(self, comm, x, y, folds):
        self.comm = comm
        self.x = x
        self.y = y
        self.folds = folds

    def _own_folds(self):
        return range(self.comm.rank, self.folds.count, self.comm.size)

    def _fold_errors(self, setting, fold):
        train, valid = self.folds.split(fold)
        model = Ridge(**setting).fit(self.x[train], self.y[train])
        return model.squared_errors(self.x[valid], self.y[valid])

    def score(self, setting):
        errors, rows = 0.0, 0
        for fold in self._own_folds():
            e = self._fold_errors(setting, fold)
            errors += float(e.sum())
            rows += len(e)
        total = self.comm.allreduce([errors, rows], op=MPI.SUM)
        return total[0] / total[1]
