import numpy as np

POSITIVE = "great lovely superb moving clever warm".split()
NEGATIVE = "dull awful clumsy boring cold noisy".split()
NEUTRAL = "the film plot actor scene music was with a very and ending".split()


def reviews(n, seed):
    """Small synthetic review corpus: (text, label)."""
    rng = np.random.default_rng(seed)
    for _ in range(n):
        label = int(rng.integers(2))
        pool = POSITIVE if label else NEGATIVE
        words = list(rng.choice(NEUTRAL, size=rng.integers(6, 14))) + list(rng.choice(pool, size=2))
        rng.shuffle(words)
        yield " ".join(words), label
