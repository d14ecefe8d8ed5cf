import hashlib
from collections import Counter


class PageFilter:
    """Length, repetition and exact duplicates within a dump."""

    def __init__(self, shortest=8, repetition=0.35):
        self.shortest = shortest
        self.repetition = repetition
        self.dropped = Counter()

    def _reason(self, text, seen):
        words = text.split()
        if len(words) < self.shortest:
            return "short"
        if Counter(words).most_common(1)[0][1] > self.repetition * len(words):
            return "repetitive"
        digest = hashlib.md5(text.encode()).digest()
        if digest in seen:
            return "duplicate"
        seen.add(digest)
        return None

    def keep(self, texts):
        seen = set()
        for text in texts:
            reason = self._reason(text, seen)
            if reason is None:
                yield text
            else:
                self.dropped[reason] += 1
