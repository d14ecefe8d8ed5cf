import numpy as np


class WindowDataset:
    """Windows of lags, the hour of the day, and the value that follows."""

    def __init__(self, series, lags):
        self.series = series
        self.lags = lags
        self.inputs, self.targets = self._build()

    @property
    def width(self):
        return self.lags + 3

    def _build(self):
        v = self.series.values
        rows = len(v) - self.lags
        x = np.empty((rows, self.width), np.float32)
        for k in range(self.lags):
            x[:, k] = v[k:k + rows]
        hour = np.arange(self.lags, len(v)) % 24
        x[:, -3] = np.sin(2 * np.pi * hour / 24)
        x[:, -2] = np.cos(2 * np.pi * hour / 24)
        x[:, -1] = 1.0
        return x, v[self.lags:]

    def usable(self, batch):
        return len(self.targets) // batch * batch

    def batches(self, batch):
        for start in range(0, self.usable(batch), batch):
            stop = start + batch
            yield self.inputs[start:stop], self.targets[start:stop]

    def rmse(self, coef):
        return float(np.sqrt(np.mean((self.inputs @ coef - self.targets) ** 2)))
