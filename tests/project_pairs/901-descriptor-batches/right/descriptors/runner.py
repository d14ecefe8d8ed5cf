import numpy as np

from .features import featurize
from .scaler import StreamingScaler


class BatchRunner:
    def __init__(self, comm, cfg, errors):
        self.cfg = cfg
        self.errors = errors
        self.scaler = StreamingScaler(comm, cfg.width)

    def run(self, batches):
        """Features of the usable batches of this rank."""
        kept = [np.empty((0, self.cfg.width))]
        for batch in batches:
            x = np.empty((0, self.cfg.width))
            with self.errors.guard(batch.name):
                x = featurize(self.cfg, batch)
            self.scaler.partial_fit(x)
            kept.append(x)
        return np.concatenate(kept)
