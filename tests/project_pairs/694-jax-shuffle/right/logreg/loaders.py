import numpy as np

LOADERS = {}


def loader(name):
    def add(cls):
        LOADERS[name] = cls
        return cls
    return add


@loader("plain")
class ShuffledLoader:
    """Walks through a new permutation of the data set in each epoch."""

    def __init__(self, data, opts, rt):
        if opts.batch % rt.count:
            raise ValueError("batch has to divide over the processes")
        if len(data) < opts.batch:
            raise ValueError("fewer samples than one batch")
        self.data = data
        self.opts = opts
        self.rt = rt
        self.rows = opts.batch // rt.count

    def rng(self, epoch, *extra):
        return np.random.default_rng([self.opts.seed, epoch, *extra])

    def order(self, epoch):
        return self.rng(epoch).permutation(len(self.data))

    def transform(self, x, epoch, number):
        return x

    def epoch(self, epoch):
        """Yields the own sample numbers and the global batch."""
        order = self.order(epoch)
        for number in range(len(self.data) // self.opts.batch):
            lo = number * self.opts.batch + self.rt.index * self.rows
            ids = order[lo:lo + self.rows]
            x = self.transform(self.data.x[ids], epoch, number)
            yield ids, self.rt.batch(x, self.data.y[ids])


@loader("jittered")
class JitteredLoader(ShuffledLoader):
    """Adds a little noise to the features of each batch."""

    def noise(self, epoch, number, shape):
        return self.rng(epoch, number, self.rt.index).normal(size=shape)

    def transform(self, x, epoch, number):
        return x + self.opts.noise * self.noise(epoch, number, x.shape).astype(x.dtype)
