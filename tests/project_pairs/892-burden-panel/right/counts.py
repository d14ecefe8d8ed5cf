"""Carrier counts of cases and controls."""
import numpy as np


class BurdenCounter:
    def __init__(self, comm, panel, settings):
        self.comm = comm
        self.panel = panel
        self.max_af = settings.max_af
        self._buf = np.zeros(2, dtype=np.int64)

    def _local(self, cohort, gene):
        carriers = cohort.carriers(gene, self.max_af)
        cases = sum(cohort.is_case[s] for s in carriers)
        return np.array([cases, len(carriers) - cases], dtype=np.int64)

    def carrier_table(self, cohort):
        table = {}
        for gene in self.panel:
            self.comm.Allreduce(self._local(cohort, gene), self._buf)
            table[gene] = tuple(int(v) for v in self._buf)
        return table

    def group_sizes(self, cohort):
        cases = self.comm.allreduce(sum(cohort.is_case.values()))
        total = self.comm.allreduce(len(cohort))
        return cases, total - cases
