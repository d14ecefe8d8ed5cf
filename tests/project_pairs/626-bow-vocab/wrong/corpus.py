"""Toy review corpus and a tokenizer."""
import random
import re

POSITIVE = "great lovely superb charming witty moving brilliant fresh tender funny".split()
NEGATIVE = "dull boring awful clumsy tedious bland weak stale messy annoying".split()
NEUTRAL = "the a film story actor scene plot music ending was is very quite this that with".split()

_WORD = re.compile(r"[a-z]+")


def reviews(n, seed):
    """Yield (text, label); reproducible for a seed."""
    rnd = random.Random(seed)
    for _ in range(n):
        label = rnd.randint(0, 1)
        mood = POSITIVE if label else NEGATIVE
        words = rnd.choices(NEUTRAL, k=12) + rnd.choices(mood, k=3)
        rnd.shuffle(words)
        yield " ".join(words).capitalize() + ".", label


def tokenize(text):
    return _WORD.findall(text.lower())
