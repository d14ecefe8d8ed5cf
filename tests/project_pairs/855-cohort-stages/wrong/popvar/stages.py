"""Stages of the pipeline; each one adds an entry to the results."""
import numpy as np

from .guard import SampleError, tolerate

STAGES = {}


def stage(name):
    def register(cls):
        cls.name = name
        STAGES[name] = cls
        return cls
    return register


class Stage:
    """Sums a measure over all samples of the cohort."""

    def empty(self, context):
        raise NotImplementedError

    def measure(self, sample):
        raise NotImplementedError

    def finish(self, total, context):
        return total

    def run(self, context):
        partial = self.empty(context)
        with tolerate(context.failures, self.name):
            for sample in context.samples:
                partial += self.measure(sample)
            total = context.sum(partial)
            context.results[self.name] = self.finish(total, context)


@stage("call_rate")
class CallRate(Stage):
    def empty(self, context):
        return np.zeros(context.cfg.n_sites)

    def measure(self, sample):
        return sample.called.astype(float)

    def finish(self, total, context):
        return total / context.cfg.n_samples


@stage("allele_count")
class AlleleCount(Stage):
    """Alternate and total allele number at each site."""

    def empty(self, context):
        return np.zeros((2, context.cfg.n_sites))

    def measure(self, sample):
        called = sample.called
        if not called.any():
            raise SampleError(f"{sample.name} has no calls")
        return np.stack([np.where(called, sample.calls, 0), 2 * called])

    def finish(self, total, context):
        return total[0] / np.maximum(total[1], 1.0)


@stage("depth")
class Depth(Stage):
    """Histogram of the mean depth of the samples."""

    edges = np.arange(0.0, 61.0, 2.0)

    def empty(self, context):
        return np.zeros(self.edges.size - 1)

    def measure(self, sample):
        return np.histogram([sample.depth.mean()], self.edges)[0]
