import random

TOPICS = {
    "sea": "wave tide harbour sail salt gull storm anchor".split(),
    "law": "court judge appeal clause verdict witness oath plea".split(),
    "farm": "barley plough harvest barn cattle seed soil fence".split(),
}
COMMON = "the of and in to it was that for with".split()


def documents(n, seed=17):
    rnd = random.Random(seed)
    for i in range(n):
        topic = rnd.choice(sorted(TOPICS))
        length = rnd.randint(20, 60)
        words = [rnd.choice(COMMON if rnd.random() < 0.5 else TOPICS[topic]) for _ in range(length)]
        yield f"{topic}-{i:04d}", " ".join(words)
