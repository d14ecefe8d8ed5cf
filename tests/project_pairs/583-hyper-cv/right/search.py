import itertools
import logging

log = logging.getLogger("search")

GRID = {"alpha": [0.1, 1.0, 10.0, 100.0], "degree": [1, 2, 3]}


def settings(grid):
    for values in itertools.product(*grid.values()):
        yield dict(zip(grid, values))


class GridSearch:
    def __init__(self, validator, grid=GRID, verbose=False):
        self.validator = validator
        self.grid = grid
        self.verbose = verbose
        self.table = []

    def run(self):
        for setting in settings(self.grid):
            value = self.validator.score(setting)
            self.table.append((value, setting))
            if self.verbose:
                log.info("%s -> %.4f", setting, value)
        return min(self.table, key=lambda row: row[0])
