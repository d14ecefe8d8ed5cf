class RunningMean:
    def __init__(self):
        self.total = 0.0
        self.n = 0

    def add(self, value):
        self.total += value
        self.n += 1

    @property
    def value(self):
        return self.total / self.n if self.n else float("nan")
