import numpy as np


class EpochAudit:
    """Counts how many different samples an epoch has used."""

    def __init__(self, rt, opts):
        self.rt = rt
        self.total = opts.samples // opts.batch * opts.batch
        self.ids = []

    def note(self, ids):
        self.ids.append(np.asarray(ids, dtype=np.int32))

    def close(self):
        mine = np.concatenate(self.ids)
        self.ids = []
        seen = np.unique(self.rt.collect(mine)).size
        return f"distinct samples {seen}/{self.total}"
