import random

SYLLABLES = "ba be bi bo da de di do ka ke ki ko la le li lo ma me mi mo".split()


class Corpus:
    """Synthetic documents; document i is the same wherever it is drawn."""

    def __init__(self, documents, words, seed=11):
        self.documents = documents
        self.words = words
        self.seed = seed

    def document(self, i):
        rng = random.Random(self.seed * 100003 + i)
        return ["".join(rng.choice(SYLLABLES) for _ in range(rng.choice((1, 2, 2))))
                for _ in range(self.words)]

    def __iter__(self):
        for i in range(self.documents):
            yield self.document(i)

    def shard(self, index, count):
        for i in range(index, self.documents, count):
            yield self.document(i)
