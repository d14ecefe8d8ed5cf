from .members import Member


class EnsembleDriver:
    """Steps the members of one rank through the years."""

    def __init__(self, cfg, bus, numbers):
        self.cfg = cfg
        self.bus = bus
        self.members = [Member(cfg, n) for n in numbers]

    def run(self):
        for year in range(1, self.cfg.years + 1):
            for member in self.members:
                self.bus.emit("state", year=year, fields=member.step(year))
            self.bus.emit("year", year=year)
