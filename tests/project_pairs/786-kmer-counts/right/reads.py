"""Simulated short reads with a small error rate."""
import random

BASES = "ACGT"


def genome(length, seed):
    rng = random.Random(seed)
    return "".join(rng.choice(BASES) for _ in range(length))


def sequencer(reference, read_length, error_rate):
    """Return a function that simulates the read with a given number."""

    def read(number):
        rng = random.Random(1_000_003 * (number + 1))
        start = rng.randrange(len(reference) - read_length)
        bases = list(reference[start:start + read_length])
        for i in range(read_length):
            if rng.random() < error_rate:
                bases[i] = rng.choice(BASES)
        return "".join(bases)

    return read
