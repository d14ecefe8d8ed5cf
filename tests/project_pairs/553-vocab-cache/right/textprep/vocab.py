import json
import logging
import os
import shutil
from collections import Counter

log = logging.getLogger(__name__)


def build_vocab(corpus, min_count, max_words):
    counts = Counter()
    for doc in corpus:
        counts.update(doc)
    words = [w for w, n in sorted(counts.items(), key=lambda kv: (-kv[1], kv[0])) if n >= min_count]
    return {w: i + 1 for i, w in enumerate(words[:max_words])}


def write_json(path, obj):
    tmp = path + ".part"
    with open(tmp, "w") as f:
        json.dump(obj, f)
        f.flush()
        os.fsync(f.fileno())
    os.replace(tmp, path)


def read_json(path):
    with open(path) as f:
        return json.load(f)


class VocabStore:
    """Vocabulary kept on the shared file system between runs."""

    def __init__(self, folder, comm, min_count=1, max_words=None):
        self.folder = folder
        self.comm = comm
        self.min_count = min_count
        self.max_words = max_words

    @property
    def path(self):
        return os.path.join(self.folder, "vocab.json")

    def _prepare(self, rebuild):
        if rebuild and os.path.isdir(self.folder):
            shutil.rmtree(self.folder)
        os.makedirs(self.folder, exist_ok=True)

    def _ensure(self, corpus, rebuild):
        if self.comm.rank != 0:
            return
        self._prepare(rebuild)
        if not os.path.exists(self.path):
            vocab = build_vocab(corpus, self.min_count, self.max_words)
            write_json(self.path, vocab)
            log.info("wrote %d words to %s", len(vocab), self.path)

    def get(self, corpus, rebuild=False):
        self._ensure(corpus, rebuild)
        self.comm.Barrier()
        vocab = read_json(self.path)
        if not vocab:
            raise ValueError(f"empty vocabulary in {self.path}")
        return vocab
