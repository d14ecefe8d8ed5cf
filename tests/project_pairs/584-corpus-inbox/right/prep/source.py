"""Crawl dumps, as they arrive in the inbox."""
import json

import numpy as np

WORDS = ("tide reactor ledger saddle copper violin marsh anchor pepper glacier "
         "the of and to in a is that for it").split()


def crawl(folder, dumps, pages, seed):
    rng = np.random.default_rng(seed)
    folder.mkdir(parents=True, exist_ok=True)
    for n in range(dumps):
        texts = []
        for _ in range(pages):
            length = int(rng.integers(4, 60))
            texts.append(" ".join(rng.choice(WORDS, length)))
        if n % 3 == 0:
            texts += texts[:2]
        (folder / f"dump-{n:03d}.json").write_text(json.dumps(texts))
