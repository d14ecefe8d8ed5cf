"""Ways of averaging a dictionary of gradients over the ranks."""
import numpy as np

AVERAGERS = {}


def averager(name):
    def add(cls):
        AVERAGERS[name] = cls
        return cls
    return add


class Averager:
    def __init__(self, ranks, frozen=frozenset()):
        self.ranks = ranks
        self.frozen = frozen

    def active(self, grads):
        """Names of the parameters that are trained."""
        return sorted(set(grads) - self.frozen)

    def __call__(self, grads):
        raise NotImplementedError


@averager("flat")
class FlatAverager(Averager):
    """One message with all gradients one after the other."""

    def __call__(self, grads):
        names = self.active(grads)
        flat = np.concatenate([np.ravel(grads[k]) for k in names])
        flat, out, at = self.ranks.mean(flat), {}, 0
        for k in names:
            n = int(np.size(grads[k]))
            out[k] = flat[at:at + n].reshape(np.shape(grads[k]))
            at += n
        return out


@averager("layerwise")
class LayerwiseAverager(Averager):
    """A message for each parameter; needs no copy of all gradients."""

    def __call__(self, grads):
        return {k: self.ranks.mean(grads[k]) for k in self.active(grads)}
