"""Filter stages.  All of them keep state between the blocks."""
import numpy as np


def produce(n, block):
    rng = np.random.default_rng(5)
    signal = np.sin(np.arange(n) * 0.07) + 0.2 * rng.normal(size=n)
    for start in range(0, n, block):
        yield signal[start:start + block]


def identity(stream):
    yield from stream


def leaky(stream, alpha=0.8):
    state = 0.0
    for block in stream:
        out = np.empty_like(block)
        for i, value in enumerate(block):
            state = alpha * state + (1 - alpha) * value
            out[i] = state
        yield out


def difference(stream):
    previous = 0.0
    for block in stream:
        extended = np.concatenate([[previous], block])
        previous = block[-1]
        yield np.diff(extended)


def clip(stream):
    for block in stream:
        yield np.clip(block, -0.5, 0.5)


_STAGES = (identity, leaky, difference, clip)


def stage_name(rank):
    return _STAGES[rank % len(_STAGES)].__name__


def apply_stage(rank, stream):
    return _STAGES[rank % len(_STAGES)](stream)


def consume(stream):
    blocks = list(stream)
    return len(blocks), np.concatenate(blocks)
