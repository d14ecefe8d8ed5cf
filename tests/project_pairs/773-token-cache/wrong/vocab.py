from collections import Counter

PAD, UNK = 0, 1


class Vocab:
    def __init__(self, words):
        self.words = ["<pad>", "<unk>", *words]
        self.ids = {w: i for i, w in enumerate(self.words)}

    @classmethod
    def build(cls, texts, max_size):
        counts = Counter(w for t in texts for w in t.split())
        ranked = sorted(counts.items(), key=lambda kv: (-kv[1], kv[0]))
        return cls([w for w, _ in ranked[: max_size - 2]])

    @classmethod
    def load(cls, path):
        return cls(path.read_text().splitlines()[2:])

    def save(self, path):
        path.write_text("\n".join(self.words))

    def __len__(self):
        return len(self.words)

    def encode(self, text, length):
        ids = [self.ids.get(w, UNK) for w in text.split()[:length]]
        return ids + [PAD] * (length - len(ids))
