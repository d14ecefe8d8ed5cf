"""A made-up corpus: documents of words drawn with a topic that drifts."""
import random
from collections import Counter

WORDS = ("matrix vector tensor graph vertex edge kernel cache thread lock "
         "queue stack heap array stencil halo").split()


def document(number, length=160):
    rng = random.Random(9000 + number)
    words = []
    for pos in range(length):
        drift = int(len(WORDS) * pos / length)
        words.append(WORDS[(drift + int(rng.expovariate(0.35))) % len(WORDS)])
    return words


def documents(total, parts, index):
    for number in range(index, total, parts):
        yield document(number)


def frequent(docs, count):
    """The terms worth following."""
    seen = Counter()
    for words in docs:
        seen.update(words)
    return {word for word, _ in seen.most_common(count)}
