from collections import Counter


def _add(a, b):
    out = Counter(a)
    out.update(b)
    return out


class DocumentStats:
    """Counts of word ids in the documents seen here."""

    def __init__(self, vocab, unknown=0):
        self.vocab = vocab
        self.unknown = unknown
        self.counts = Counter()
        self.seen = 0

    def encode(self, doc):
        return [self.vocab.get(w, self.unknown) for w in doc]

    def add(self, doc):
        self.counts.update(self.encode(doc))
        self.seen += 1

    @property
    def unknown_rate(self):
        total = sum(self.counts.values())
        return self.counts[self.unknown] / total if total else 0.0

    def merge(self, comm):
        parts = comm.gather(self.counts, root=0)
        merged = Counter()
        for part in parts or ():
            merged = _add(merged, part)
        return merged
