import random
from collections import Counter

BASES = "ACGT"


def reads(seed, n=120, length=60):
    rnd = random.Random(seed)
    for _ in range(n):
        yield "".join(rnd.choices(BASES, weights=(3, 2, 2, 3), k=length))


def count_kmers(sequences, k, wanted):
    counts = Counter()
    for seq in sequences:
        for i in range(len(seq) - k + 1):
            word = seq[i:i + k]
            if word in wanted:
                counts[word] += 1
    return counts
