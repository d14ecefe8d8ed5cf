import random
import zlib


class ClickSource:
    """Synthetic click files, each with its own number of sessions."""

    def __init__(self, files, seed=0):
        self.files = files
        self.seed = seed

    def names(self):
        return [f"clicks-{i:04d}.log" for i in range(self.files)]

    def _lines(self, name):
        rng = random.Random(zlib.crc32(name.encode()) + self.seed)
        base = int(name[7:11]) * 1000
        for s in range(rng.randint(4, 20)):
            t = rng.uniform(0, 3600)
            for _ in range(rng.randint(1, 9)):
                yield base + s, t, f"/page/{rng.randint(1, 30)}"
                t += rng.expovariate(1 / 25)

    def sessions(self, name):
        current, clicks = None, []
        for sid, t, url in self._lines(name):
            if current is not None and sid != current:
                yield current, clicks
                clicks = []
            current = sid
            clicks.append((t, url))
        if clicks:
            yield current, clicks
