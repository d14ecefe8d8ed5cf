import logging
from collections import Counter

import numpy as np

from launch import on_main

log = logging.getLogger("encoding")


class LabelEncoder:
    def __init__(self, rare=5):
        self.rare = rare
        self.index = {}

    def fit(self, labels):
        counts = Counter(labels)
        kept = sorted(k for k, n in counts.items() if n >= self.rare)
        self.index = {k: i for i, k in enumerate(kept)}
        self.describe(counts)
        return len(kept)

    @on_main
    def describe(self, counts):
        for label, count in counts.most_common():
            log.info("%-8s %4d %s", label, count, "" if label in self.index else "(rare)")

    def transform(self, labels):
        return np.array([self.index[k] for k in labels], dtype=np.int32)
