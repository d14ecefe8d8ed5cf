import platform


class NodeMeter:
    """Stand-in for the energy counter of the board; the same for all processes of a node."""

    def __init__(self):
        self.base = 40.0 + sum(platform.node().encode()) % 17
        self.ticks = 0

    def advance(self, units):
        self.ticks += units

    def joules(self):
        return self.base + 0.25 * self.ticks
