"""Samples and their rare variant calls."""
from collections import namedtuple

import numpy as np

Call = namedtuple("Call", "sample gene af")

_NAMES = (
    "APOB BRCA1 BRCA2 CFTR DMD EGFR FBN1 GAA HBB IDS JAK2 KIT LDLR MYH7 NF1 OTC "
    "PKD1 QDPR RYR1 SCN5A TTN UBE3A VHL WAS XPC YARS2 ZIC3 ATM ABCA4 COL1A1"
).split()

RISK = {"LDLR": 3.0, "MYH7": 4.0}


class Cohort:
    def __init__(self, samples, is_case, calls):
        self.samples = samples
        self.is_case = is_case
        self.calls = calls

    @classmethod
    def load(cls, settings, rank, size):
        names = _NAMES[: settings.genes]
        mine = range(rank, settings.samples, size)
        is_case, calls = {}, []
        for s in mine:
            rng = np.random.default_rng([settings.seed, s])
            is_case[s] = bool(rng.random() < 0.4)
            for gene in names:
                rate = 0.04 * (RISK.get(gene, 1.0) if is_case[s] else 1.0)
                for _ in range(rng.poisson(rate)):
                    calls.append(Call(s, gene, float(rng.beta(1, 60))))
        return cls(list(mine), is_case, calls)

    def __len__(self):
        return len(self.samples)

    def carriers(self, gene, max_af):
        return {c.sample for c in self.calls if c.gene == gene and c.af <= max_af}
