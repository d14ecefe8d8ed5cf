import numpy as np


class FlatIndex:
    """Exact cosine search over unit vectors."""

    def __init__(self, vectors, ids):
        self.vectors = vectors
        self.ids = list(ids)

    def __len__(self):
        return len(self.ids)

    def search(self, query, k):
        scores = query @ self.vectors.T
        top = np.argsort(-scores, axis=1)[:, :k]
        return [[(self.ids[j], float(scores[i, j])) for j in row] for i, row in enumerate(top)]

    def self_recall(self, sample):
        hits = self.search(self.vectors[sample], 1)
        return float(np.mean([row[0][0] == self.ids[j] for row, j in zip(hits, sample)]))
