"""Random links between pages; a page without links gives its rank to all."""
from collections import defaultdict

import numpy as np


class Links(defaultdict):
    def __init__(self, pages, first, stop, seed):
        super().__init__(set)
        self.pages = pages
        for page in range(first, stop):
            rng = np.random.default_rng([seed, page])
            for target in rng.integers(0, pages, rng.integers(0, 5)).tolist():
                if target != page:
                    self[page].add(target)

    @property
    def dangling(self):
        return lambda page: page not in self

    def pushed(self, rank_of):
        """Sum of what the known pages give to every page."""
        out = np.zeros(self.pages)
        for page in sorted(self):
            share = rank_of(page) / len(self[page])
            out[sorted(self[page])] += share
        return out
