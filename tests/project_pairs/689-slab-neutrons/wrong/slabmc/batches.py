import logging


class BatchRunner:
    """Runs the same number of batches on every rank."""

    def __init__(self, cfg, team):
        self.cfg = cfg
        self.team = team

    def run(self, kernel, tally):
        n = self.cfg.per_batch(self.team.size)
        for i in range(self.cfg.batches):
            tally.add(kernel.trace(n))
            logging.debug("batch %d of rank %d done", i, self.team.rank)
